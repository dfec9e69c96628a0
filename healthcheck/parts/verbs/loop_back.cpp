// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/verbs/loop_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "benchmarks/verbs/transfer_result.hpp"
#include "healthcheck/check/check.hpp"

namespace muster::healthcheck {
namespace {

void loop_back(Context& context, const RdmaRequest& request, const RdmaEnd& port,
               const std::vector<RdmaCase>& transfers, TimeShares& shares) {
  for (const auto& transfer : transfers) {
    if (!port.serves(transfer)) continue;
    if (std::chrono::steady_clock::now() > context.deadline()) {
      ++shares.left_out;
      continue;
    }
    context.phase(fmt::format("{} over port {} of {}", to_text(transfer.operation), port.port.number, port.hca.name));
    auto where = port.labels();
    const auto labels = request.labels(transfer, where);
    where.emplace("path", "loop-back");
    const std::array to_itself = {
        benchmarks::verbs::Path{.from = port.counted(context, transfer), .to = port.counted(context, transfer)}};
    auto passage =
        benchmarks::verbs::between_ports(to_itself, request.traffic(context, transfer, std::move(where), shares))
            .front();
    if (passage.lost_here) return context.add(request.lost(passage, port.labels()));
    for (const auto& reason : {passage.refused, passage.refused_there})
      if (!reason.empty()) return context.add(request.fact("refused", reason, port.labels()));
    if (!passage.problem.empty()) return context.add(request.fact("loop_back_broken", passage.problem, port.labels()));
    passage.wrong_bytes += std::exchange(passage.wrong_answers, 0);  // both came to this port
    context.add(request.facts_of(passage, port.rate, request.measured(), labels));
  }
}

}  // namespace

void measure_in_loop_back(Context& context, const RdmaRequest& request) {
  const auto ports = request.active(context);
  const auto transfers = request.transfers(std::ranges::any_of(ports, &RdmaEnd::reaches_gpu));
  TimeShares shares{.all = ports.size() * transfers.size()};
  for (const RdmaEnd& port : ports) loop_back(context, request, port, transfers, shares);
  request.tell_left_out(context, shares);
}

}  // namespace muster::healthcheck
