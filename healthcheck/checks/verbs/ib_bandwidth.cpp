// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "benchmarks/verbs/passage.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/context.hpp"
#include "healthcheck/verbs/between_hosts.hpp"
#include "healthcheck/verbs/rdma.hpp"

namespace muster::healthcheck {
namespace {

void loop_back(Context& context, const RdmaRequest& request, const RdmaEnd& port, Shares& shares) {
  for (const auto operation : request.chosen()) {
    context.phase(fmt::format("{} over port {} of {}", to_text(operation), port.port.number, port.hca.name));
    auto where = port.labels();
    const auto labels = request.labels(operation, where);
    where.emplace("path", "loop-back");
    const auto passage =
        benchmarks::loop_back(port.counted(context), request.traffic(context, operation, std::move(where), shares));
    if (passage.lost_here) return context.add(lost(passage, port.labels()));
    if (!passage.problem.empty()) return context.add("ib_bandwidth.refused", passage.problem, port.labels());
    context.add(facts_of(passage, "ib_bandwidth.bandwidth", labels));
  }
}

// One port after the other.
void each_in_loop_back(Context& context, const RdmaRequest& request) {
  auto ports = request.ends(context.sysfs());
  if (ports.empty()) throw Skip("no RDMA device");
  std::erase_if(ports, [](const RdmaEnd& port) { return !port.is_active(); });
  context.add("ib_bandwidth.active_ports", results::count(ports.size()));
  if (ports.empty()) throw Skip("no port is active");
  Shares shares{.all = ports.size() * request.chosen().size()};
  for (RdmaEnd& port : ports) {
    context.add(port.open(port.labels()));
    if (port.opened) loop_back(context, request, port, shares);
  }
}

class IbBandwidth final : public Check {
 public:
  Description describe() const override {
    return {.name = "ib_bandwidth",
            .summary = "RDMA write, read and send of every active port, in loop-back or between hosts, all verified",
            .scope = Scope::hosts,
            .resources = {Resource::cpu, Resource::memory, Resource::nic},
            .tier = results::Tier::quick,
            .typical_seconds = 3};
  }

  void add_options(CommandLine& line) override {
    line.add_list("--nic", request_.nics, "These RDMA devices instead of all, separated by commas");
    line.add_list("--operation", request_.operations, "Of write, read and send, separated by commas (default: all)");
    line.add_bytes("-s,--size", request_.shape.bytes, sizeof(double), "Size of a message, a multiple of 8");
    line.add("-t,--tx-depth", request_.shape.depth, "How many messages are under way at once");
  }

  void expect_possible(const Context& context) const override { request_.expect_possible(context.sysfs()); }

  void run(Context& context) override {
    if (context.hosts().size() > 1)
      measure_between_hosts(context, request_);
    else
      each_in_loop_back(context, request_);
  }

 private:
  RdmaRequest request_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<IbBandwidth>(); }

}  // namespace muster::healthcheck
