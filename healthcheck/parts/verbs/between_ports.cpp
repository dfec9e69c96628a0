// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/verbs/between_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/sampling/culprit.hpp"
#include "benchmarks/verbs/transfer_result.hpp"
#include "healthcheck/check/check.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::verbs::TransferResult;
using results::Labels;
using results::Measurement;

// From which port to which, by their numbers in a list.
using Way = std::pair<std::size_t, std::size_t>;

// Their numbers, by link layer: those of two link layers cannot reach each other.
std::map<std::string, std::vector<std::size_t>> networks(const std::vector<RdmaEnd>& ports) {
  std::map<std::string, std::vector<std::size_t>> all;
  for (std::size_t number = 0; number < ports.size(); ++number) all[ports[number].port.link_layer].push_back(number);
  return all;
}

// What is measured at the same time, one after the other: of the pairs of a round the one way, then the other, or both.
std::vector<std::vector<Way>> turns(const std::vector<std::size_t>& ports, const RdmaRequest& request) {
  std::vector<std::vector<Way>> all;
  for (const auto& round : benchmarks::rounds(ports.size(), benchmarks::enough_rounds)) {
    const auto first = all.size();
    for (const auto& [one, other] : round) {
      const Way there(ports[one], ports[other]);
      const Way back(ports[other], ports[one]);
      const auto of_pair = request.is_both_ways ? std::vector<std::vector<Way>>{{there, back}}
                                                : std::vector<std::vector<Way>>{{there}, {back}};
      const auto at = request.takes_turns() ? all.size() : first;
      all.resize(std::max(all.size(), at + of_pair.size()));
      for (std::size_t turn = 0; turn < of_pair.size(); ++turn)
        std::ranges::copy(of_pair[turn], std::back_inserter(all[at + turn]));
    }
  }
  return all;
}

class BetweenPorts {
 public:
  BetweenPorts(Context& context, const RdmaRequest& request)
      : context_(context), request_(request), ports_(request.active(context)) {
    for (const auto& [link_layer, ports] : networks(ports_)) {
      std::ranges::move(turns(ports, request_), std::back_inserter(turns_));
      most_that_meet_ = std::max(most_that_meet_, ports.size());
    }
    if (turns_.empty()) throw Skip("no two ports of one link layer are active");
  }

  void run() {
    const auto transfers = request_.transfers(std::ranges::any_of(ports_, &RdmaEnd::reaches_gpu));
    shares_ = {.all = transfers.size() * turns_.size()};
    for (const auto& transfer : transfers)
      for (const auto& ways : turns_)
        if (std::chrono::steady_clock::now() > context_.deadline()) {
          ++shares_.left_out;
        } else {
          measure(transfer, ways);
          request_.tell(context_, std::exchange(facts_, {}), of_pairs_);
        }
    request_.conclude(context_, std::move(of_pairs_), most_that_meet_, shares_);
  }

 private:
  void measure(const RdmaCase& transfer, const std::vector<Way>& ways) {
    const auto& [one, other] = ways.front();
    context_.phase(fmt::format("{} between {}", to_text(transfer.operation),
                               request_.takes_turns()
                                   ? fmt::format("{} and {}", ports_[one].hca.name, ports_[other].hca.name)
                                   : "ports of this machine"));
    std::vector<Way> usable;
    std::vector<benchmarks::verbs::Path> paths;
    for (const auto& [from, to] : ways) {
      if (!ports_[from].serves(transfer) || !ports_[to].serves(transfer) || broken_.contains(std::minmax(from, to)))
        continue;
      usable.emplace_back(from, to);
      paths.push_back({.from = ports_[from].counted(context_, transfer), .to = ports_[to].counted(context_, transfer)});
    }
    const Labels where{{"path", "wire"}, {"link_layer", ports_[ways.front().first].port.link_layer}};
    const auto passages = benchmarks::verbs::between_ports(paths, request_.traffic(context_, transfer, where, shares_));
    for (std::size_t at = 0; at < usable.size(); ++at) {
      const auto [from, to] = usable[at];
      if (!passages[at].problem.empty()) broken_.insert(std::minmax(from, to));
      take(passages[at], ports_[from], ports_[to], transfer);
    }
  }

  // Said once.
  void give_up(RdmaEnd& port, Measurement reason) {
    if (port.opened) facts_.push_back(std::move(reason));
    port.opened = nullptr;
  }

  void take(const TransferResult& passage, RdmaEnd& from, RdmaEnd& to, const RdmaCase& transfer) {
    if (!passage.refused.empty()) give_up(from, request_.fact("refused", passage.refused, from.labels()));
    if (!passage.refused_there.empty()) give_up(to, request_.fact("refused", passage.refused_there, to.labels()));
    if (passage.lost_here) give_up(from, request_.lost(passage, from.labels()));
    if (passage.lost_there) give_up(to, request_.lost(passage, to.labels()));
    if (!passage.met || passage.lost_here || passage.lost_there) return;
    const auto rate = rate_of_path(from.rate, to.rate);
    std::ranges::move(request_.facts_of_pair(passage, rate, transfer, from.labels(), to.labels()),
                      std::back_inserter(facts_));
  }

  Context& context_;
  const RdmaRequest& request_;
  std::vector<RdmaEnd> ports_;
  std::vector<std::vector<Way>> turns_;
  std::size_t most_that_meet_ = 0;  // on one network
  std::set<Way> broken_;            // pairs
  std::vector<Measurement> facts_;  // that were not told yet
  std::vector<Measurement> of_pairs_;
  TimeShares shares_;
};

}  // namespace

void measure_between_ports(Context& context, const RdmaRequest& request) { BetweenPorts(context, request).run(); }

}  // namespace muster::healthcheck
