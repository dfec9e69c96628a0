// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/infiniband.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

#include "topology/devices/pci.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view adapters = "sys/class/infiniband";
constexpr std::uint16_t full_member = 0x8000;
constexpr std::int64_t infiniband_controller = 0x0207;  // PCI Code and ID Assignment Specification
constexpr std::string_view zeros_and_colons = "0:";

// "4: ACTIVE" -> "ACTIVE"; nothing of a text without its number, which the kernel did not write.
std::string state_name(std::string_view text) {
  const auto pair = key_value(text, ':');
  return pair && whole_number(pair->first) ? std::string(pair->second) : "";
}

HcaPort port_of(const Sysfs& sysfs, const Hca& hca, int number) {
  HcaPort port{.number = number, .link_layer = {}, .state = {}, .physical_state = {}};
  const auto file = [&](std::string_view name) { return sysfs.text(port_path(hca, port, name)).value_or(""); };
  port.link_layer = file("link_layer");
  port.state = state_name(file("state"));
  port.physical_state = state_name(file("phys_state"));
  return port;
}

// The numbered entries of one of a port's tables.
std::vector<std::int64_t> entries(const Sysfs& sysfs, const Hca& hca, const HcaPort& port, std::string_view table) {
  std::vector<std::int64_t> numbers;
  for (const auto& name : sysfs.list(port_path(hca, port, table)))
    if (const auto number = whole_number(name)) numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

std::string port_path(const Hca& hca, const HcaPort& port, std::string_view file) {
  return fmt::format("{}/{}/ports/{}/{}", adapters, hca.name, port.number, file);
}

namespace {

// Whether the vital product data have this field of their vendor (PCI Local Bus Specification 3.0, appendix I).
bool is_switch_manager(const Sysfs& sysfs, const std::string& name) {
  const auto data = sysfs.bytes(fmt::format("{}/{}/device/vpd", adapters, name));
  return data && data->find("SMDL=SW_MNG") != std::string::npos;
}

std::vector<Hca> rdma_devices(const Sysfs& sysfs) {
  std::vector<Hca> found;
  for (const auto& name : sysfs.list(adapters)) {
    const auto file = [&](std::string_view what) { return sysfs.text(fmt::format("{}/{}/{}", adapters, name, what)); };
    Hca hca{.name = name,
            .pci = sysfs.link_name(fmt::format("{}/{}/device", adapters, name)).value_or(""),
            .firmware = file("fw_ver"),
            .board_id = file("board_id").value_or(""),
            .node_guid = file("node_guid").value_or(""),
            .ports = {}};
    for (const auto& port : sysfs.list(fmt::format("{}/{}/ports", adapters, name)))
      if (const auto number = whole_number(port)) hca.ports.push_back(port_of(sysfs, hca, static_cast<int>(*number)));
    std::ranges::sort(hca.ports, {}, &HcaPort::number);
    found.push_back(std::move(hca));
  }
  return found;
}

}  // namespace

std::vector<Hca> hcas(const Sysfs& sysfs) {
  auto found = rdma_devices(sysfs);
  std::erase_if(found, [&](const Hca& hca) { return is_switch_manager(sysfs.quiet(), hca.name); });
  return found;
}

std::vector<Hca> switch_managers(const Sysfs& sysfs) {
  auto found = rdma_devices(sysfs);
  std::erase_if(found, [&](const Hca& hca) { return !is_switch_manager(sysfs.quiet(), hca.name); });
  return found;
}

std::vector<Hca> infiniband_hcas(const Sysfs& sysfs) {
  std::vector<Hca> found;
  std::ranges::copy_if(hcas(sysfs), std::back_inserter(found), [](const Hca& hca) {
    return std::ranges::any_of(hca.ports, [](const HcaPort& port) { return port.link_layer == "InfiniBand"; });
  });
  return found;
}

std::vector<std::string> unserved_adapters(const Sysfs& sysfs) {
  const auto served = rdma_devices(sysfs);
  std::vector<std::string> found;
  for (const auto& device : pci_devices(sysfs)) {
    if (device.class_code >> 8 != infiniband_controller) continue;
    const auto path = "sys/bus/pci/devices/" + device.address;
    const bool is_of_guests = sysfs.link_name(path + "/driver") == "vfio-pci" || sysfs.exists(path + "/physfn");
    if (!is_of_guests && std::ranges::find(served, device.address, &Hca::pci) == served.end())
      found.push_back(device.address);
  }
  return found;
}

double port_rate(std::string_view text) {
  const auto part = words(text);
  double gigabits = 0;
  if (part.size() >= 2 && part[1] == "Gb/sec") {
    const auto [end, code] = std::from_chars(part[0].data(), part[0].data() + part[0].size(), gigabits);
    if (code == std::errc() && end == part[0].data() + part[0].size() && std::isfinite(gigabits) && gigabits >= 0)
      return gigabits * 1e9;
  }
  throw Error("'" + std::string(text) + "' is not a rate such as '400 Gb/sec (4X NDR)'");
}

std::optional<double> port_rate(const Sysfs& sysfs, const Hca& hca, const HcaPort& port) {
  return parsed(sysfs, port_path(hca, port, "rate"), [](std::string_view text) { return port_rate(text); });
}

std::int64_t port_width(std::string_view text) {
  for (auto word : words(text)) {
    if (word.ends_with(')')) word.remove_suffix(1);
    if (!word.starts_with('(') || !word.ends_with('X')) continue;
    const auto lanes = whole_number(word.substr(1, word.size() - 2));
    if (lanes && *lanes > 0) return *lanes;
  }
  throw Error("'" + std::string(text) + "' names no lanes such as '400 Gb/sec (4X NDR)'");
}

std::optional<std::int64_t> port_width(const Sysfs& sysfs, const Hca& hca, const HcaPort& port) {
  return parsed(sysfs, port_path(hca, port, "rate"), [](std::string_view text) { return port_width(text); });
}

std::vector<std::uint16_t> partition_keys(const Sysfs& sysfs, const Hca& hca, const HcaPort& port) {
  std::vector<std::uint16_t> keys;
  for (const auto entry : entries(sysfs, hca, port, "pkeys")) {
    const auto path = port_path(hca, port, fmt::format("pkeys/{}", entry));
    const auto key = sysfs.number(path).value_or(0);
    if (key < 0 || key > std::numeric_limits<std::uint16_t>::max())
      throw Error(path, fmt::format("{} is not a P_Key of 16 bits", key));
    if (key != 0) keys.push_back(static_cast<std::uint16_t>(key));
  }
  return keys;
}

bool is_full_member(std::uint16_t partition_key) { return (partition_key & full_member) != 0; }

std::vector<std::string> gids(const Sysfs& sysfs, const Hca& hca, const HcaPort& port) {
  std::vector<std::string> found;
  for (const auto entry : entries(sysfs, hca, port, "gids"))
    if (auto gid = sysfs.text(port_path(hca, port, fmt::format("gids/{}", entry)));
        gid && gid->find_first_not_of(zeros_and_colons) != std::string::npos)
      found.push_back(std::move(*gid));
  return found;
}

std::vector<std::string> interfaces(const Sysfs& sysfs, const Hca& hca, const HcaPort& port) {
  if (auto parent = sysfs.text(fmt::format("{}/{}/parent", adapters, hca.name))) return {std::move(*parent)};
  std::vector<std::string> found;
  for (auto& name : sysfs.list(fmt::format("{}/{}/device/net", adapters, hca.name)))
    if (sysfs.number(fmt::format("sys/class/net/{}/dev_port", name)).value_or(0) + 1 == port.number)
      found.push_back(std::move(name));
  return found;
}

}  // namespace muster::topology
