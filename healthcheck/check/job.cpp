// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "healthcheck/program/error.hpp"
#include "results/json/report_json.hpp"

namespace muster::healthcheck {

std::string wrong_size(int size, const Member& member) {
  if (const auto told = benchmarks::told_of_others(member.launcher, size); !told.empty())
    return fmt::format("{}, but {} sees a job of {}: start it with the mpirun of that library{}", told, member.library,
                       size, member.launcher.name == "srun" ? ", or with srun --mpi=pmix" : "");
  if (member.wanted_size && *member.wanted_size != static_cast<std::size_t>(size))
    return fmt::format("--ranks wants {}, the job has {}", *member.wanted_size, size);
  if (size == 1 && !member.wanted_size) return "one rank moves no data: start several with mpirun, or say --ranks 1";
  return {};
}

void expect_one_rank_on_each(const std::vector<std::string>& hosts) {
  for (std::size_t rank = 0; rank < hosts.size(); ++rank)
    if (const auto first = std::ranges::find(hosts, hosts[rank]);
        first != hosts.begin() + static_cast<std::ptrdiff_t>(rank))
      throw UsageError(fmt::format("{} has the ranks {} and {}: start one on each host (mpirun --map-by ppr:1:node)",
                                   hosts[rank], first - hosts.begin(), rank));
}

std::vector<results::Measurement> gather_facts(benchmarks::Ranks& ranks, std::vector<results::Measurement> own) {
  results::Report carrier;
  carrier.checks.emplace_back().measurements = std::move(own);
  std::vector<results::Measurement> all;
  for (const auto& text : ranks.gather(results::to_json(carrier)))
    std::ranges::move(results::report_from_json(text).checks.front().measurements, std::back_inserter(all));
  return all;
}

void join_hosts(results::Report& report, benchmarks::Ranks& ranks) {
  auto own = report;
  own.checks.front().measurements.clear();
  results::CheckRun& run = report.checks.front();
  std::vector<results::Delta> evidence;
  for (const auto& text : ranks.gather(results::to_json(own))) {
    const auto other = results::report_from_json(text);
    const auto& host = other.hosts.front();
    if (std::ranges::find(run.hosts, host.name) != run.hosts.end()) continue;
    run.hosts.push_back(host.name);
    if (host.name != run.host) report.hosts.push_back(host);
    const auto& there = other.checks.front();
    if (there.outcome == results::Outcome::error && run.outcome != results::Outcome::error) {
      run.outcome = there.outcome;
      run.reason = fmt::format("{}: {}", host.name, there.reason);
    }
    for (results::Delta delta : there.evidence) {
      delta.labels.emplace("host", host.name);
      evidence.push_back(std::move(delta));
    }
  }
  if (run.hosts.size() > 1)
    run.evidence = std::move(evidence);
  else
    run.hosts.clear();
}

std::string odd_one_out(const std::string& term, const std::vector<std::string>& values,
                        const std::vector<std::string>& hosts) {
  const auto other = std::ranges::find_if(values, [&](const std::string& each) { return each != values.front(); });
  if (other == values.end()) return {};
  const auto rank = static_cast<std::size_t>(other - values.begin());
  const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
  return fmt::format("rank {} on {} has another {} than rank 0 on {}: {} instead of {}", rank, hosts[rank], term,
                     hosts.front(), shown(*other), shown(values.front()));
}

std::string difference(benchmarks::Ranks& ranks, const std::vector<std::string>& hosts,
                       const std::map<std::string, std::string>& same) {
  std::string problem;
  for (const auto& [term, value] : same)
    if (const auto values = ranks.gather(value); problem.empty() && ranks.rank() == 0)
      problem = odd_one_out(term, values, hosts);
  return ranks.broadcast(problem);
}

std::string why_no_job(benchmarks::Ranks& ranks, const std::vector<std::string>& hosts, const Member& member) {
  const auto problem = ranks.broadcast(wrong_size(ranks.size(), member));
  return problem.empty() ? difference(ranks, hosts, member.same) : problem;
}

}  // namespace muster::healthcheck
