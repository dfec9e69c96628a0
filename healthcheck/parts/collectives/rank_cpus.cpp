// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/rank_cpus.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "topology/cpu/cpu_list.hpp"

namespace muster::healthcheck {
namespace {

using topology::UsableCpus;

struct HostRanks {
  std::vector<int> numbers;
  std::vector<UsableCpus> cpus;  // of each of them
};

// How many ranks have to do with these CPUs, for each of them; the quotas of these ranks are one, that of their host.
double ranks_per_cpu(const std::vector<int>& cpus, std::span<const UsableCpus> ranks) {
  double count = 0;
  auto cores = static_cast<double>(cpus.size());
  for (const auto& rank : ranks) {
    if (!std::ranges::includes(cpus, rank.allowed)) continue;
    ++count;
    cores = std::min(cores, rank.quota.value_or(cores));
  }
  return count / std::max(1.0, cores);
}

std::vector<int> together_allowed(std::span<const UsableCpus> ranks) {
  std::set<int> all;
  for (const auto& rank : ranks) all.insert(rank.allowed.begin(), rank.allowed.end());
  return {all.begin(), all.end()};
}

// The CPUs and the quota of every rank, by host, on rank 0. Collective.
std::map<std::string, HostRanks> gather(Context& context) {
  auto& ranks = context.ranks();
  UsableCpus own;
  together(ranks, [&] { own = topology::usable_cpus(context.sysfs().quiet()); });
  const double quota = own.quota.value_or(0);
  const auto lists = ranks.gather(topology::to_text(own.allowed));
  const auto quotas = gather_numbers(ranks, std::span(&quota, 1));
  std::map<std::string, HostRanks> hosts;
  for (std::size_t rank = 0; rank < lists.size(); ++rank) {
    auto& host = hosts[context.hosts()[rank]];
    host.numbers.push_back(static_cast<int>(rank));
    host.cpus.push_back({.allowed = topology::cpu_list(lists[rank]), .quota = std::nullopt});
    if (quotas[rank].front() > 0) host.cpus.back().quota = quotas[rank].front();
  }
  return hosts;
}

}  // namespace

double ranks_per_cpu(std::span<const UsableCpus> ranks) {
  auto most = ranks_per_cpu(together_allowed(ranks), ranks);
  for (const auto& rank : ranks) most = std::max(most, ranks_per_cpu(rank.allowed, ranks));
  return most;
}

void add_rank_cpus(Context& context, const std::string& check) {
  for (const auto& [host, ranks] : gather(context)) {
    std::map<std::string, std::vector<int>> alike;  // ranks, by their CPUs
    for (std::size_t i = 0; i < ranks.cpus.size(); ++i)
      alike[topology::to_text(ranks.cpus[i].allowed)].push_back(ranks.numbers[i]);
    for (const auto& [cpus, numbers] : alike)
      context.add(results::metric_name(check, "rank_cpus"), cpus,
                  {{"host", host}, {"ranks", topology::to_text(numbers)}});
    context.add(results::metric_name(check, "ranks_per_cpu"), results::Quantity{ranks_per_cpu(ranks.cpus)},
                {{"host", host}});
  }
}

}  // namespace muster::healthcheck
