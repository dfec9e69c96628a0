// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/launcher_failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "healthcheck/run/start_watch.hpp"
#include "healthcheck/start/launcher_causes.hpp"
#include "healthcheck/start/launcher_culprits.hpp"
#include "healthcheck/start/launcher_text.hpp"
#include "healthcheck/start/mpirun_job.hpp"
#include "results/strings/joined_phrases.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t max_culprits_named = 8;
// Open MPI 4 places ranks in its daemons. All of them end where it does not go, and mpirun calls one of them lost.
constexpr std::string_view daemons_that_do_not_fit =
    "mpirun's daemons ended, as those of Open MPI 4 do where the ranks do not fit on the hosts' CPUs; give fewer ranks "
    "(--ranks-on-each), or the topology file of these machines (--topology)";

bool holds(const Passage& passage, std::string_view text) { return passage.joined.find(text) != std::string::npos; }

const LauncherCause* cause_of(const Passage& passage) {
  const auto fits = [&](const LauncherCause& cause) {
    return holds(passage, cause.marker) && holds(passage, cause.more);
  };
  const auto found = std::ranges::find_if(launcher_causes(), fits);
  return found == launcher_causes().end() ? nullptr : &*found;
}

// What tells nothing of a cause: counts of messages, and what every failed start of MPI ends with.
bool is_noise(const Passage& passage) {
  constexpr std::array of_mpi{
      "sent help message",  "Set MCA parameter",        "setpgid",           "MPI_ERRORS_ARE_FATAL", "*** ",
      "Local abort before", "Permanently added",        "how to route a",    "ou can avoid this",    "MPI_INIT failed",
      "orte_init failed",   "opal_init failed",         "callback returned", "internal error",       "FORCE-TERMINATE",
      "--help' for usage",  "processes failed to start"};
  constexpr std::array of_srun{
      "srun: cluster configuration", "srun: launch/slurm:", "Forwarding signal", "CANCELLED AT", "srun: Job step",
      "srun: Force Terminated"};
  const auto is_in = [&](std::string_view part) { return holds(passage, part); };
  return holds(passage, start_of_failed_ssh) || !hosts_told_by_srun(passage).empty() ||
         passage.joined.starts_with(start_of_checks) || std::ranges::any_of(of_mpi, is_in) ||
         std::ranges::any_of(of_srun, is_in);
}

bool is_warning(const Passage& passage) { return passage.is_block && passage.joined.starts_with("WARNING"); }

bool is_block(const Passage& passage) { return passage.is_block; }

struct FoundCause {
  const Passage* passage = nullptr;
  const LauncherCause* cause = nullptr;  // none: a passage that is not known
};

// A known cause, else what is known to follow from another one, else the first passage that is not known.
FoundCause first_cause(const std::vector<Passage>& said) {
  FoundCause unknown_block;
  FoundCause unknown_line;
  FoundCause symptom;
  bool a_session_failed = false;
  for (const auto& passage : said) {
    const auto* cause = cause_of(passage);
    a_session_failed = a_session_failed || holds(passage, start_of_failed_ssh);
    if (a_session_failed && holds(passage, marker_of_no_way_back)) continue;
    if (cause != nullptr && !cause->is_symptom) return {&passage, cause};
    if (cause != nullptr && (symptom.passage == nullptr || cause < symptom.cause)) symptom = {&passage, cause};
    if (cause != nullptr || is_noise(passage)) continue;
    auto& place = passage.is_block ? unknown_block : unknown_line;
    if (place.passage == nullptr && !is_warning(passage)) place.passage = &passage;
  }
  for (const auto& found : {symptom, unknown_block, unknown_line})
    if (found.passage != nullptr) return found;
  for (const auto& is_better : {is_warning, is_block})
    if (const auto last = std::ranges::find_if(said, is_better); last != said.end()) return {&*last, nullptr};
  return {};
}

std::string place_of(const std::vector<std::string>& culprits, Blame blame, const LaunchedJob& job) {
  if (!culprits.empty()) return " on " + results::joined_phrases(culprits, max_culprits_named, ", ");
  if (blame == Blame::nobody || job.hosts.size() < 2) return {};
  return fmt::format(" on one of {} hosts", job.hosts.size());
}

std::string quote_of(const FoundCause& found) {
  if (found.cause->quoted.empty()) return {};
  if (found.cause->quoted == "*") return fmt::format(" ({})", first_sentence(*found.passage));
  const auto value = field(*found.passage, found.cause->quoted);
  return value ? fmt::format(" ({}: {})", found.cause->quoted, *value) : std::string();
}

// Of a symptom, what is not known may say more: the first block, else the last line that stood before it.
std::string more_of(const std::vector<Passage>& said, const FoundCause& found) {
  if (!found.cause->is_symptom) return {};
  const Passage* line = nullptr;
  for (const auto& passage : said) {
    if (is_noise(passage) || is_warning(passage) || cause_of(passage) != nullptr) continue;
    if (passage.is_block) return fmt::format(" ({})", first_sentence(passage));
    if (&passage < found.passage) line = &passage;
  }
  return line == nullptr ? std::string() : fmt::format(" ({})", first_sentence(*line));
}

std::string_view remedy_of(const LauncherCause& cause, const LaunchedJob& job) {
  if (!job.has_own_key || cause.remedy != remedy_of_host_key) return cause.remedy;
  return "start the worker there with the same --keys, or look whose machine answers";
}

std::string without_cause(int exit_code) {
  return fmt::format(
      "it told no cause, and its exit code {} may be that of a rank, of ssh, or its own; to see more, run: mpirun "
      "--hostfile HOSTS --mca plm_base_verbose 5 hostname",
      exit_code);
}

LauncherFailure unexplained(const std::string& sentence, bool is_known) {
  return {.sentence = sentence, .cause = sentence, .hosts = {}, .is_known = is_known};
}

// What a check says itself: why it refuses to run, or what it waited for when mpirun ended it, perhaps for another
// cause.
std::optional<std::string> words_of_check(const std::vector<Passage>& said, bool told_to_stop) {
  constexpr std::string_view colon = ": ";
  for (const auto& passage : said)
    if (passage.joined.starts_with(start_of_checks) && holds(passage, words_when_told_to_stop) == told_to_stop) {
      const auto words = first_sentence(passage);
      const auto begin = words.find(colon);
      return begin == std::string::npos ? words : words.substr(begin + colon.size());
    }
  return std::nullopt;
}

}  // namespace

LauncherFailure why_launcher_failed(std::string_view said, int exit_code, const LaunchedJob& job) {
  const auto all = passages(said);
  if (const auto own = words_of_check(all, false)) return unexplained(*own, true);
  const auto found = first_cause(all);
  if (found.cause == nullptr)
    if (const auto own = words_of_check(all, true)) return unexplained(*own, true);
  if (found.passage == nullptr) return unexplained(without_cause(exit_code), false);
  if (found.cause == nullptr) return unexplained(first_sentence(*found.passage), false);
  const auto& known = *found.cause;
  if (known.blame == Blame::binding && job.binds_ranks) return unexplained(std::string(daemons_that_do_not_fit), true);
  auto [hosts, seen_on] = culprits_of(all, *found.passage, known.blame, job);
  const auto place = seen_on.empty() ? place_of(hosts, known.blame, job) : ", seen first on " + seen_on;
  const auto quotes = quote_of(found) + more_of(all, found);
  return {.sentence = fmt::format("{}{}{}; {}", known.cause, place, quotes, remedy_of(known, job)),
          .cause = fmt::format("{}{}", known.cause, quotes),
          .hosts = std::move(hosts),
          .is_known = true};
}

bool never_ends(std::string_view said) {
  return std::ranges::any_of(launcher_causes(), [&](const LauncherCause& cause) {
    return cause.never_ends && said.find(cause.marker) != said.npos && said.find(cause.more) != said.npos;
  });
}

}  // namespace muster::healthcheck
