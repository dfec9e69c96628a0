// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "healthcheck/parts/verbs/rdma_check.hpp"

namespace muster::healthcheck {

std::unique_ptr<Check> make_check() {
  return std::make_unique<RdmaCheck>(
      "Latency of RDMA write, read and send of every active port, in loop-back or between hosts",
      RdmaRequest{.check = "ib_latency",
                  .flow = benchmarks::verbs::Flow::ping_pong,
                  .shape = {.bytes = 8, .depth = 1},
                  .memories = {"host"}});
}

}  // namespace muster::healthcheck
