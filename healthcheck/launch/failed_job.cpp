// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/failed_job.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "healthcheck/process/connection.hpp"
#include "healthcheck/program/descriptor.hpp"
#include "healthcheck/start/launcher_failure.hpp"

namespace muster::healthcheck {
namespace {

using results::Outcome;
using Kind = ProcessExit::Kind;

// mpirun places ranks on its own machine first, wherever the list has it.
bool ranks_follow(const HostList& hosts) {
  return hosts.names.empty() || std::none_of(hosts.names.begin() + 1, hosts.names.end(), is_this_machine);
}

std::string own_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

bool is_this_machine(const std::string& host) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &wanted, &found) != 0) return false;
  const Addresses addresses(found);
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    const Descriptor socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (socket && bind(socket.number(), each->ai_addr, each->ai_addrlen) == 0) return true;
  }
  return false;
}

results::CheckRun with_words_of_launcher(results::CheckRun run, const ProcessExit& ending, const HostList& hosts,
                                         std::size_t ranks_on_each, bool has_own_key, bool binds_ranks) {
  const bool ended_by_itself = ending.kind == Kind::exited && run.outcome == Outcome::error;
  if (!ended_by_itself && run.outcome != Outcome::timed_out) return run;
  const auto failure = why_launcher_failed(ending.said, ending.code,
                                           {.hosts = hosts.names,
                                            .ranks_on_each = ranks_on_each,
                                            .launched_from = own_name(),
                                            .has_own_key = has_own_key,
                                            .binds_ranks = binds_ranks,
                                            .ranks_follow_the_hosts = ranks_follow(hosts)});
  if (ended_by_itself)
    run.reason =
        fmt::format("mpirun ended with {} and no report came back from the job: {}", ending.code, failure.sentence);
  else if (failure.is_known)
    run.reason += fmt::format("; it said: {}", failure.sentence);
  else
    return run;
  for (const auto& host : failure.hosts)
    run.measurements.push_back({.metric = results::metric_name(run.check, "failed_host"),
                                .value = failure.cause,
                                .labels = {{"host", host}},
                                .summary = {},
                                .stopping = {},
                                .limit = {}});
  return run;
}

}  // namespace muster::healthcheck
