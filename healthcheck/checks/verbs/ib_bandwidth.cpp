// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "healthcheck/command_line.hpp"
#include "healthcheck/verbs/rdma_check.hpp"

namespace muster::healthcheck {
namespace {

class IbBandwidth final : public RdmaCheck {
 public:
  IbBandwidth()
      : RdmaCheck("RDMA write, read and send of every active port, in loop-back or between hosts, all verified",
                  {.check = "ib_bandwidth"}) {}

  void add_options(CommandLine& line) override {
    RdmaCheck::add_options(line);
    line.add("-t,--tx-depth", request().shape.depth, "How many messages are under way at once");
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<IbBandwidth>(); }

}  // namespace muster::healthcheck
