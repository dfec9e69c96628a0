// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/verbs/loop_back.hpp"

#include <fmt/format.h>

#include "benchmarks/verbs/passage.hpp"
#include "healthcheck/check.hpp"

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
    if (passage.lost_here) return context.add(request.lost(passage, port.labels()));
    if (!passage.problem.empty()) return context.add(request.fact("refused", passage.problem, port.labels()));
    context.add(request.facts_of(passage, request.measured(), labels));
  }
}

}  // namespace

void measure_in_loop_back(Context& context, const RdmaRequest& request) {
  auto ports = request.ends(context.sysfs());
  if (ports.empty()) throw Skip("no RDMA device");
  std::erase_if(ports, [](const RdmaEnd& port) { return !port.is_active(); });
  context.add(request.metric("active_ports"), results::count(ports.size()));
  if (ports.empty()) throw Skip("no port is active");
  Shares shares{.all = ports.size() * request.chosen().size()};
  for (RdmaEnd& port : ports) {
    context.add(request.open(port, port.labels()));
    if (port.opened) loop_back(context, request, port, shares);
  }
}

}  // namespace muster::healthcheck
