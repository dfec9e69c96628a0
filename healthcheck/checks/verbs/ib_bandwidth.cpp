// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "healthcheck/parts/verbs/rdma_check.hpp"
#include "healthcheck/program/command_line.hpp"

namespace muster::healthcheck {
namespace {

class IbBandwidth final : public RdmaCheck {
 public:
  IbBandwidth()
      : RdmaCheck("RDMA write, read and send of every active port, in loop-back or between hosts, verified at the end",
                  {.check = "ib_bandwidth"}) {}

  void add_options(CommandLine& line) override {
    RdmaCheck::add_options(line);
    line.add_list("--memory", request().memories,
                  "Of host and gpu (GPUDirect RDMA), separated by commas (default: host, in a full run both)");
    line.add("-b,--bidirectional", request().is_both_ways, "Both ends of a pair at the same time");
    line.add("--one-by-one", request().is_one_by_one, "One pair of ports after the other, instead of all at once");
    line.add(
        "-t,--tx-depth", request().shape.depth,
        "How many messages are under way at once on each queue pair, at most 64 MiB of all or one message of each");
    line.add("-q,--qp", request().shape.queue_pairs, "How many queue pairs each connection has");
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<IbBandwidth>(); }

}  // namespace muster::healthcheck
