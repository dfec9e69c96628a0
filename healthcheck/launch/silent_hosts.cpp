// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/silent_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "healthcheck/launch/failed_job.hpp"
#include "results/strings/joined_phrases.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t max_hosts_named = 8;
constexpr const char* silence = "did not come to the start of MPI, and all others waited for them";

bool is_among(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

}  // namespace

std::vector<std::string> silent_hosts(const std::vector<std::string>& names, const std::vector<std::string>& addresses,
                                      const std::vector<std::vector<std::string>>& waiting) {
  const auto is_of_job = [&](const std::vector<std::string>& host) {
    return std::ranges::any_of(host, [&](const auto& address) { return is_among(addresses, address); });
  };
  if (waiting.empty() || !std::ranges::all_of(waiting, is_of_job)) return {};
  std::vector<std::string> silent;
  for (std::size_t host = 0; host < std::min(names.size(), addresses.size()); ++host)
    if (std::ranges::none_of(waiting, [&](const auto& each) { return is_among(each, addresses[host]); }))
      silent.push_back(names[host]);
  return silent;
}

results::CheckRun with_silent_hosts(results::CheckRun run, const std::vector<std::string>& silent) {
  run.reason += fmt::format("; the ranks on {} {}; see there what holds the check (muster {})",
                            results::joined_phrases(silent, max_hosts_named, ", "), silence, run.check);
  for (const auto& host : silent) add_fact_of_host(run, "failed_host", host, fmt::format("its ranks {}", silence));
  return run;
}

}  // namespace muster::healthcheck
