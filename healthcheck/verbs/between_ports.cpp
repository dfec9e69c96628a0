// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/verbs/between_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <utility>

#include "benchmarks/culprit.hpp"
#include "benchmarks/verbs/passage.hpp"
#include "healthcheck/check.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Passage;
using results::Labels;
using results::Measurement;

// From which port to which, by their numbers in a list.
using Way = std::pair<std::size_t, std::size_t>;

// What is measured at the same time, one after the other: of rates all pairs of a round, of a latency one way alone.
std::vector<std::vector<Way>> turns(std::size_t ports, const RdmaRequest& request) {
  std::vector<std::vector<Way>> all;
  for (const auto& round : benchmarks::rounds(ports, benchmarks::enough_rounds)) {
    std::vector<Way> there;
    std::vector<Way> back;
    for (const auto& [one, other] : round) {
      there.emplace_back(one, other);
      back.emplace_back(other, one);
    }
    if (request.is_both_ways) {
      std::ranges::copy(back, std::back_inserter(there));
      all.push_back(there);
    } else if (request.flow == benchmarks::Flow::stream) {
      all.insert(all.end(), {there, back});
    } else {
      for (const auto& ways : {there, back})
        for (const Way& way : ways) all.push_back({way});
    }
  }
  return all;
}

class BetweenPorts {
 public:
  BetweenPorts(Context& context, const RdmaRequest& request)
      : context_(context), request_(request), ports_(request.active(context)) {
    if (ports_.size() < 2) throw Skip("only one port is active");
  }

  void run() {
    const auto transfers = request_.transfers(std::ranges::any_of(ports_, &RdmaEnd::reaches_gpu));
    const auto all = turns(ports_.size(), request_);
    shares_ = {.all = transfers.size() * all.size()};
    for (const auto& transfer : transfers)
      for (const auto& ways : all)
        if (std::chrono::steady_clock::now() > context_.deadline())
          ++shares_.left_out;
        else
          measure(transfer, ways);
    request_.conclude(context_, std::move(facts_), ports_.size(), shares_);
  }

 private:
  void measure(const Transfer& transfer, const std::vector<Way>& ways) {
    context_.phase(fmt::format("{} between ports of this machine", to_text(transfer.operation)));
    std::vector<Way> usable;
    std::vector<benchmarks::Path> paths;
    for (const auto& [from, to] : ways) {
      if (!ports_[from].serves(transfer) || !ports_[to].serves(transfer) || broken_.contains(std::minmax(from, to)))
        continue;
      usable.emplace_back(from, to);
      paths.push_back({.from = ports_[from].counted(context_, transfer), .to = ports_[to].counted(context_, transfer)});
    }
    const Labels where{{"path", "wire"}, {"link_layer", ports_.front().port.link_layer}};
    const auto passages = benchmarks::between_ports(paths, request_.traffic(context_, transfer, where, shares_));
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

  void take(const Passage& passage, RdmaEnd& from, RdmaEnd& to, const Transfer& transfer) {
    if (!passage.refused.empty()) give_up(from, request_.fact("refused", passage.refused, from.labels()));
    if (!passage.refused_there.empty()) give_up(to, request_.fact("refused", passage.refused_there, to.labels()));
    if (passage.lost_here) give_up(from, request_.lost(passage, from.labels()));
    if (passage.lost_there) give_up(to, request_.lost(passage, to.labels()));
    if (!passage.met || passage.lost_here || passage.lost_there) return;
    const auto where = request_.pair_labels(transfer, from.labels(), to.labels());
    std::ranges::move(request_.facts_of_pair(passage, where), std::back_inserter(facts_));
  }

  Context& context_;
  const RdmaRequest& request_;
  std::vector<RdmaEnd> ports_;
  std::set<Way> broken_;  // pairs
  std::vector<Measurement> facts_;
  Shares shares_;
};

}  // namespace

void measure_between_ports(Context& context, const RdmaRequest& request) { BetweenPorts(context, request).run(); }

}  // namespace muster::healthcheck
