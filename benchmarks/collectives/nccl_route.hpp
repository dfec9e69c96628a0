// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>

namespace muster::benchmarks {

// How NCCL moves the data of one call.
struct Route {
  std::string algorithm;  // as NCCL spells it: "RING", "TREE", "NVLS"; "P2P" of sends and receives
  std::string protocol;   // "LL", "LL128", "SIMPLE"; empty of sends and receives
  int channels = 0;

  auto operator<=>(const Route&) const = default;
};

}  // namespace muster::benchmarks
