// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/launcher_culprits.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "healthcheck/start/mpirun_job.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

using Names = std::vector<std::string>;

bool is_address(std::string_view name) {
  return name.find(':') != std::string_view::npos || name.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::string_view first_label(std::string_view name) { return name.substr(0, name.find('.')); }

// The one host of the job that has this name, or shares its first label: Open MPI 5 makes "w" of "w.one" and of
// "w.two".
std::optional<std::string> in_job(std::string_view name, const LaunchedJob& job) {
  if (std::ranges::find(job.hosts, name) != job.hosts.end()) return std::string(name);
  if (is_address(name)) return std::nullopt;
  std::optional<std::string> found;
  for (const auto& host : job.hosts) {
    if (is_address(host) || first_label(host) != first_label(name)) continue;
    if (found) return std::nullopt;
    found = host;
  }
  return found;
}

// Whether several hosts of the job could be meant.
bool is_ambiguous(std::string_view name, const LaunchedJob& job) {
  return std::ranges::count_if(job.hosts, [&](const std::string& host) {
           return !is_address(host) && first_label(host) == first_label(name);
         }) > 1;
}

bool is_launcher(std::string_view name, const LaunchedJob& job) {
  return first_label(name) == first_label(job.launched_from);
}

std::optional<std::string> host_of_rank(std::optional<std::size_t> rank, const LaunchedJob& job) {
  if (!rank || !job.ranks_follow_the_hosts || job.ranks_on_each == 0) return std::nullopt;
  const auto host = *rank / job.ranks_on_each;
  return host < job.hosts.size() ? std::optional(job.hosts[host]) : std::nullopt;
}

// The launcher is none of the hosts that its own words may accuse, unless it is a host of the job.
std::optional<std::string> known_or_told(const std::optional<std::string>& name, const LaunchedJob& job) {
  if (!name) return std::nullopt;
  if (auto host = in_job(*name, job)) return host;
  if (is_launcher(*name, job) || is_ambiguous(*name, job)) return std::nullopt;
  return name;
}

// The rank that a later passage calls the first to end badly.
std::optional<std::size_t> first_ended(const std::vector<Passage>& said) {
  for (const auto& passage : said)
    if (field(passage, "Process name")) return rank_of(passage);
  return std::nullopt;
}

std::optional<std::string> named_host(const std::vector<Passage>& said, const Passage& passage,
                                      const LaunchedJob& job) {
  if (auto host = host_of_rank(rank_of(passage), job)) return host;
  if (auto host = known_or_told(host_named_by(passage), job)) return host;
  if (const auto writer = writer_of(passage); writer && !is_launcher(*writer, job)) return known_or_told(writer, job);
  return host_of_rank(first_ended(said), job);
}

// "me@h2" is h2.
std::string_view without_user(std::string_view host) {
  return host.substr(host.find('@') == std::string_view::npos ? 0 : host.find('@') + 1);
}

// Of ssh's own words: "me@h2: Permission denied", "connect to host h2 port 22", "hostname h2:", "known for [h2]:22".
void add_hosts_told_to_ssh(Names& found, const Passage& passage, const LaunchedJob& job) {
  for (const auto& host : job.hosts)
    for (auto word : topology::words(passage.joined)) {
      word = without_user(word);
      while (word.starts_with('[')) word.remove_prefix(1);
      word = word.substr(0, std::min(word.find(']'), word.size()));
      while (word.ends_with(':')) word.remove_suffix(1);
      if (word == host && std::ranges::find(found, host) == found.end()) found.push_back(host);
    }
}

bool tells_of_daemon(const Passage& passage) {
  return passage.joined.find("unable to reliably start one or more daemons") != std::string::npos ||
         passage.joined.find("daemon failed to report back") != std::string::npos;
}

bool tells_of_no_way_back(const Passage& passage) {
  return passage.joined.find(marker_of_no_way_back) != std::string::npos;
}

// srun says how each of its tasks ended, and ends the others itself after the first one.
Names hosts_whose_task_failed(const std::vector<Passage>& said, const LaunchedJob& job) {
  for (const auto& passage : said) {
    Names found;
    for (const auto& host : hosts_told_by_srun(passage))
      if (auto known = in_job(host, job)) found.push_back(std::move(*known));
    if (!found.empty()) return found;
    if (passage.joined.find("CANCELLED AT") != std::string::npos || passage.joined.starts_with("srun: Job step")) break;
  }
  return {};
}

// A session of ssh that failed, which the launcher's own words do not tell.
struct FailedSession {
  std::string_view host;
  std::optional<std::int64_t> code;  // of ssh: its own is 255, that of a shell that starts nothing 126 or 127
};

std::optional<FailedSession> failed_session(const Passage& passage) {
  if (!passage.joined.starts_with(start_of_failed_ssh)) return std::nullopt;
  const auto rest = std::string_view(passage.joined).substr(start_of_failed_ssh.size());
  return FailedSession{.host = without_user(rest.substr(0, rest.find(' '))),
                       .code = topology::whole_number(rest.substr(rest.rfind(' ') + 1))};
}

// Healthy hosts' sessions end, too, and with any other code, where the launcher gives up.
Names hosts_whose_shell_failed(const std::vector<Passage>& said, const LaunchedJob& job) {
  Names found;
  for (const auto& passage : said)
    if (const auto session = failed_session(passage); session && (session->code == 126 || session->code == 127))
      found.emplace_back(session->host);
  return found.empty() ? hosts_whose_task_failed(said, job) : found;
}

// ssh sessions that the launcher ends itself follow its word of a daemon that failed; those of daemons that came when
// it had given up follow theirs.
Names hosts_without_daemon(const std::vector<Passage>& said, const Passage& told, const LaunchedJob& job) {
  Names found;
  for (const auto& passage : said) {
    if (const auto session = failed_session(passage)) found.emplace_back(session->host);
    const bool came_late = !found.empty() && tells_of_no_way_back(passage) && !tells_of_no_way_back(told);
    if (tells_of_daemon(passage) || came_late) break;
  }
  if (!found.empty()) return found;
  if (auto failed = hosts_whose_task_failed(said, job); !failed.empty()) return failed;
  for (const auto& passage : said)
    if (const auto host = known_or_told(field(passage, "Remote host"), job)) return {*host};
  add_hosts_told_to_ssh(found, told, job);
  return found;
}

// Whether another host, or another rank, has told the same.
bool is_told_by_others(const std::vector<Passage>& said, const std::string& host, const LaunchedJob& job) {
  return std::ranges::any_of(said, [&](const Passage& passage) {
    if (passage.joined.find("sent help message") != std::string::npos) return true;
    if (passage.joined.find("prterun") != std::string::npos) return true;  // Open MPI 5 does not count them
    const auto writer = writer_of(passage);
    return writer && !is_launcher(*writer, job) && first_label(*writer) != first_label(host);
  });
}

// Open MPI 4.1.4 gives "coll" for the host of a component that it does not find: a name that the job does not have must
// be that of a process that writes, too.
Culprits of_setting(const std::vector<Passage>& said, const Passage& told, const std::optional<std::string>& host,
                    const LaunchedJob& job) {
  if (const auto name = host_named_by(told); !host && name && is_launcher(*name, job)) return {{}, job.launched_from};
  const auto writes = [&](const Passage& passage) { return writer_of(passage) == host; };
  if (!host || (!in_job(*host, job) && std::ranges::none_of(said, writes))) return {};
  return is_told_by_others(said, *host, job) ? Culprits{{}, *host} : Culprits{{*host}, {}};
}

}  // namespace

Culprits culprits_of(const std::vector<Passage>& said, const Passage& told, Blame blame, const LaunchedJob& job) {
  if (job.hosts.empty() || blame == Blame::nobody || (blame == Blame::binding && job.binds_ranks)) return {};
  if (blame == Blame::shell) return {hosts_whose_shell_failed(said, job), {}};
  if (blame == Blame::daemon) return {hosts_without_daemon(said, told, job), {}};
  const auto host = named_host(said, told, job);
  if (blame == Blame::alike) return of_setting(said, told, host, job);
  if (host) return {{*host}, {}};
  return std::ranges::any_of(said, tells_of_daemon) ? Culprits{hosts_without_daemon(said, told, job), {}} : Culprits{};
}

}  // namespace muster::healthcheck
