// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/port.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "benchmarks/error.hpp"
#include "benchmarks/verbs/call.hpp"
#include "topology/devices/infiniband.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::benchmarks::verbs {
namespace {

// libibverbs says "No such file" of a device that this process may not open.
[[noreturn]] void open_failed(const std::string& name, const std::string& file) {
  const auto path = topology::Sysfs().path("dev/infiniband/" + file);
  if (access(path.c_str(), R_OK | W_OK) != 0)
    throw Error(
        fmt::format("{} cannot be opened: {}: {}", name, path.string(), std::generic_category().message(errno)));
  verbs_failed("ibv_open_device of " + name);
}

OpenDevice open(const std::string& name) {
  int count = 0;
  const std::unique_ptr<ibv_device*, Release<ibv_free_device_list>> list(
      made(ibv_get_device_list(&count), "ibv_get_device_list"));
  const std::span devices(list.get(), static_cast<std::size_t>(count));
  const auto device =
      std::ranges::find_if(devices, [&](ibv_device* each) { return name == ibv_get_device_name(each); });
  if (device == devices.end())
    throw Error(
        fmt::format("libibverbs does not know {}: its provider library or /dev/infiniband is missing here", name));
  OpenDevice opened(ibv_open_device(*device));
  if (!opened) open_failed(name, static_cast<const char*>((*device)->dev_name));
  return opened;
}

Partitions full_partitions(ibv_context* device, std::uint8_t port, std::uint16_t table_length) {
  Partitions found;
  for (std::uint16_t index = 0; index < table_length; ++index) {
    __be16 key = 0;
    if (ibv_query_pkey(device, port, index, &key) == 0 && topology::is_full_member(ntohs(key)))
      found.emplace(ntohs(key), index);
  }
  if (found.empty()) throw Error("the port is a full member of no partition (P_Key)");
  return found;
}

std::string why_no_gid(const RdmaPort& port, std::span<const ibv_gid_entry> table) {
  std::vector<std::uint32_t> indices;
  for (const auto& entry : table) indices.push_back(entry.gid_index);
  if (indices.empty()) return fmt::format("port {} of {} has no GID", port.number(), port.name());
  return fmt::format("port {} of {} has no GID at this index, but at {}", port.number(), port.name(),
                     fmt::join(indices, ", "));
}

}  // namespace

RdmaPort::RdmaPort(const std::string& device, int number, std::optional<std::size_t> gid_index)
    : name_(device), number_(static_cast<std::uint8_t>(number)), device_(open(device)) {
  require_verbs(ibv_query_port(device_.get(), number_, &attributes_), "ibv_query_port");
  if (attributes_.state != IBV_PORT_ACTIVE)
    throw Error(
        fmt::format("port {} of {} is not active but {}", number, device, ibv_port_state_str(attributes_.state)));
  const auto gids = gid_table(device_.get(), number_, static_cast<std::uint32_t>(attributes_.gid_tbl_len));
  auto gid = choose_gid(gids, is_ethernet() ? gid_index : std::nullopt);
  if (!gid) throw Error(why_no_gid(*this, gids));
  gid_ = std::move(*gid);
  partitions_ = full_partitions(device_.get(), number_, attributes_.pkey_tbl_len);
  ibv_device_attr capabilities{};
  require_verbs(ibv_query_device(device_.get(), &capabilities), "ibv_query_device");
  constexpr int max_reads = 16;  // what mlx5 can
  reads_at_once_ = static_cast<std::uint8_t>(std::clamp(capabilities.max_qp_rd_atom, 1, max_reads));
}

bool RdmaPort::is_active() const {
  ibv_port_attr now{};
  return ibv_query_port(device_.get(), number_, &now) == 0 && now.state == IBV_PORT_ACTIVE;
}

}  // namespace muster::benchmarks::verbs
