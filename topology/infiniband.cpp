// SPDX-License-Identifier: Apache-2.0
#include "topology/infiniband.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "topology/parsed.hpp"
#include "topology/scan.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view folder = "sys/class/infiniband";

// "4: ACTIVE" -> "ACTIVE"
std::string state_name(std::string_view text) {
  const auto pair = key_value(text, ':');
  return std::string(pair ? pair->second : text);
}

HcaPort port_of(const Sysfs& sysfs, const std::string& hca, int number) {
  const auto file = [&](std::string_view name) {
    return sysfs.text(fmt::format("{}/{}/ports/{}/{}", folder, hca, number, name)).value_or("");
  };
  return {.number = number,
          .link_layer = file("link_layer"),
          .state = state_name(file("state")),
          .physical_state = state_name(file("phys_state"))};
}

}  // namespace

std::vector<Hca> hcas(const Sysfs& sysfs) {
  std::vector<Hca> found;
  for (const auto& name : sysfs.list(folder)) {
    Hca hca{.name = name,
            .pci = sysfs.link_name(fmt::format("{}/{}/device", folder, name)).value_or(""),
            .firmware = sysfs.text(fmt::format("{}/{}/fw_ver", folder, name)),
            .ports = {}};
    for (const auto& port : sysfs.list(fmt::format("{}/{}/ports", folder, name)))
      if (const auto number = whole_number(port)) hca.ports.push_back(port_of(sysfs, name, static_cast<int>(*number)));
    std::ranges::sort(hca.ports, {}, &HcaPort::number);
    found.push_back(std::move(hca));
  }
  return found;
}

std::vector<Hca> infiniband_hcas(const Sysfs& sysfs) {
  std::vector<Hca> found;
  std::ranges::copy_if(hcas(sysfs), std::back_inserter(found), [](const Hca& hca) {
    return std::ranges::any_of(hca.ports, [](const HcaPort& port) { return port.link_layer == "InfiniBand"; });
  });
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
  return parsed(sysfs, fmt::format("{}/{}/ports/{}/rate", folder, hca.name, port.number),
                [](std::string_view text) { return port_rate(text); });
}

}  // namespace muster::topology
