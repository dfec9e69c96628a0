// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "benchmarks/verbs/gid.hpp"
#include "benchmarks/verbs/handles.hpp"

namespace muster::benchmarks::verbs {

using Partitions = std::map<std::uint16_t, std::uint16_t, std::greater<>>;

// A port of an RDMA device that this process has opened.
class RdmaPort {
 public:
  // On Ethernet with the GID at an index, or the one that suits best. Throws Error: no such device, no right to open
  // it, a port that is not active, or without such a GID or a full P_Key.
  RdmaPort(const std::string& device, int number, std::optional<std::size_t> gid_index = std::nullopt);

  ibv_context* device() const { return device_.get(); }
  const std::string& name() const { return name_; }
  std::uint8_t number() const { return number_; }
  const ibv_port_attr& attributes() const { return attributes_; }
  const ChosenGid& gid() const { return gid_; }
  // The P_Keys that make the port a full member, the greatest first, and where in its table each is.
  const Partitions& partitions() const { return partitions_; }
  // How many RDMA reads may be under way on one connection.
  std::uint8_t reads_at_once() const { return reads_at_once_; }
  // At this moment; not when the device is gone.
  bool is_active() const;
  bool is_ethernet() const { return attributes_.link_layer == IBV_LINK_LAYER_ETHERNET; }

 private:
  std::string name_;
  std::uint8_t number_;
  OpenDevice device_;
  ibv_port_attr attributes_{};
  ChosenGid gid_;
  Partitions partitions_;
  std::uint8_t reads_at_once_ = 0;
};

}  // namespace muster::benchmarks::verbs
