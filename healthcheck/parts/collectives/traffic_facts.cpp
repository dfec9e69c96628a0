// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/traffic_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <ranges>
#include <thread>
#include <utility>

#include "benchmarks/collectives/inter_host_bytes.hpp"
#include "topology/counters/traffic.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

// Drivers of some NICs read their counters once a second.
constexpr std::chrono::milliseconds max_lag{1500};
constexpr std::chrono::milliseconds between_looks{50};

double sum(const std::map<std::string, double>& numbers) {
  const auto values = std::views::values(numbers);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

TrafficFacts::TrafficFacts(Context& context, std::string check) : context_(context), check_(std::move(check)) {
  together(context.ranks(), [&] { before_ = topology::sent_bytes(context.sysfs().quiet()); });
}

void TrafficFacts::count(const benchmarks::Collective& collective, std::size_t bytes, std::size_t calls,
                         const std::vector<int>& groups) {
  std::map<int, std::vector<std::string>> hosts;  // by group
  for (std::size_t rank = 0; rank < context_.hosts().size(); ++rank)
    hosts[groups.empty() ? 0 : groups[rank]].push_back(context_.hosts()[rank]);
  for (const auto& [group, of_group] : hosts)
    for (const auto& [host, crossing] : benchmarks::inter_host_bytes(collective, bytes, of_group))
      needed_[host] += crossing * static_cast<double>(calls);
}

std::map<std::string, double> TrafficFacts::sent() const {
  const auto& own = context_.hosts()[static_cast<std::size_t>(context_.ranks().rank())];
  const auto needed = needed_.contains(own) ? needed_.at(own) : 0;
  const auto end = Clock::now() + max_lag;
  for (;;) {
    std::map<std::string, double> found;
    for (const auto& [nic, bytes] : topology::sent_bytes(context_.sysfs().quiet()))
      if (const auto at = before_.find(nic); at != before_.end()) found[nic] = static_cast<double>(bytes - at->second);
    if (found.empty() || sum(found) >= needed || Clock::now() >= end) return found;
    std::this_thread::sleep_for(between_looks);
  }
}

void TrafficFacts::add() {
  if (needed_.empty()) return;
  auto& ranks = context_.ranks();
  context_.phase("reading what NICs sent");
  std::map<std::string, double> own;
  together(ranks, [&] { own = sent(); });
  const auto names = ranks.gather(fmt::format("{}", fmt::join(std::views::keys(own), " ")));
  const auto values = std::views::values(own);
  const auto bytes = gather_numbers(ranks, std::vector<double>(values.begin(), values.end()));
  if (ranks.rank() != 0) return;
  for (const auto& [host, needed] : needed_) {
    const auto leader = static_cast<std::size_t>(std::ranges::find(context_.hosts(), host) - context_.hosts().begin());
    const auto nics = topology::words(names[leader]);
    for (std::size_t nic = 0; nic < nics.size(); ++nic)
      context_.add(results::metric_name(check_, "nic_bytes"),
                   results::Quantity{bytes[leader][nic], results::Unit::byte},
                   {{"host", host}, {"nic", std::string(nics[nic])}});
    if (nics.empty()) continue;
    const double all = std::accumulate(bytes[leader].begin(), bytes[leader].end(), 0.0);
    context_.add(results::metric_name(check_, "nic_traffic"), results::Quantity{all / needed, results::Unit::one},
                 {{"host", host}});
  }
}

}  // namespace muster::healthcheck
