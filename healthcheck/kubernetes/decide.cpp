// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/decide.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "healthcheck/kubernetes/blocking_reasons.hpp"
#include "results/json/cut_json.hpp"
#include "results/json/report_json.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

Verdict unknown(std::string sentence) { return {.status = Status::unknown, .sentence = std::move(sentence)}; }

Verdict spoken(const Pod& pod, const Ended& end, const results::ReportSummary& summary) {
  const bool is_cut = results::without_cut_end(end.message).has_value();
  Verdict verdict{.status = summary.status,
                  .sentence = results::shortened(summary.sentence, 300),
                  .summary = is_cut ? "" : end.message};
  if (const auto harm = harm_after(summary, end); !harm.empty()) {
    verdict.status = Status::unknown;
    verdict.sentence = fmt::format("the launcher pod {} {}", pod.name, harm);
  }
  return verdict;
}

// What each container left that is no summary, for people.
std::string last_words(const Pod& pod) {
  std::string words;
  for (const Container& container : pod.containers) {
    if (!container.ended || container.ended->message.empty()) continue;
    try {
      results::summary_from_message(container.ended->message);
    } catch (const results::Error& error) {
      words = fmt::format("its termination message is not a summary of muster ({}): {}",
                          results::shortened(error.what(), 100), results::shortened(container.ended->message, 300));
    }
  }
  return words.empty() ? "it left no termination message" : words;
}

std::optional<Verdict> summary_of(const Pod& pod) {
  for (const Container& container : pod.containers) {
    if (!container.ended) continue;
    try {
      return spoken(pod, *container.ended, results::summary_from_message(container.ended->message));
    } catch (const results::Error&) {
      continue;
    }
  }
  return std::nullopt;
}

bool has_ended(const Pod& pod) {
  const auto ended = [](const Container& container) { return container.ended.has_value(); };
  if (!pod.containers.empty() && std::ranges::all_of(pod.containers, ended)) return true;
  return (pod.phase == "Succeeded" || pod.phase == "Failed") &&
         std::ranges::none_of(pod.containers, &Container::is_running);
}

}  // namespace

std::optional<Verdict> decide(const JobState& state) {
  const Pod* launcher = newest_launcher(state);
  if (launcher == nullptr) {
    if (!state.job.has_ended) return std::nullopt;
    if (!state.withdrawal.empty()) return unknown(fmt::format("{}; {}", described(state.job), state.withdrawal));
    return unknown(fmt::format("{}; it has no launcher pod, so nothing of muster told a verdict{}",
                               described(state.job), after_semicolon(failures(state))));
  }
  if (auto verdict = summary_of(*launcher)) return verdict;
  if (!has_ended(*launcher)) return std::nullopt;
  return unknown(fmt::format("the launcher pod {} ended without a verdict: {}; {}{}", launcher->name,
                             how_it_ended(*launcher), last_words(*launcher), after_semicolon(failures(state))));
}

}  // namespace muster::healthcheck::fleet
