// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "benchmarks/collectives/nccl_route.hpp"

namespace muster::benchmarks::nccl {

// What NCCL tells its profiler plug-in, which is this program itself: NCCL finds it where NCCL_PROFILER_PLUGIN is
// STATIC_PLUGIN, and the name of the communicator says whose calls they are.
class Routes {
 public:
  // To be given to the communicator as its name; the object must outlive it.
  std::string communicator_name() const;
  // Those of the calls since the last clear(); none where NCCL told nothing.
  std::set<Route> seen() const;
  void clear();
  void add(Route route);

 private:
  mutable std::mutex mutex_;
  std::set<Route> seen_;
};

}  // namespace muster::benchmarks::nccl
