// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/statuses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Report;
using results::Status;

struct Phrase {
  Status status;
  std::string_view words;
};

constexpr std::array phrases = {Phrase{Status::fail, "failed"}, Phrase{Status::unknown, "could not be judged"},
                                Phrase{Status::warn, "gave a warning"}, Phrase{Status::pass, "passed"},
                                Phrase{Status::skip, "gave nothing to judge"}};

std::string why_nothing(const CheckRun& run, const Profile& profile) {
  if (run.attempt > 1) return "a second look, judged with the first";
  const auto reason = profile.information.find(run.check);
  return reason == profile.information.end() ? "the profile expects nothing of this check" : reason->second;
}

std::string counts(const Report& report) {
  std::vector<std::string> parts;
  for (const Phrase& phrase : phrases) {
    const auto number = std::ranges::count(report.checks, phrase.status, &CheckRun::status);
    if (number == 0) continue;
    const std::string_view noun = !parts.empty() ? "" : number == 1 ? " check" : " checks";
    parts.push_back(fmt::format("{}{} {}", number, noun, phrase.words));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// What was found comes before what could not be measured, which it may be the cause of.
const results::Verdict* worst_verdict(const Report& report) {
  const auto weight = [](const auto& verdict) { return std::pair(verdict.status, verdict.value.has_value()); };
  const results::Verdict* worst = nullptr;
  for (const CheckRun& run : report.checks)
    for (const auto& verdict : run.verdicts)
      if (worst == nullptr || weight(verdict) > weight(*worst)) worst = &verdict;
  return worst;
}

std::string summary(const Report& report) {
  if (report.checks.empty()) return "nothing ran";
  const auto open = std::ranges::count_if(report.checks, results::is_open);
  if (open > 0) return fmt::format("did not finish: {} of {} checks had no result yet", open, report.checks.size());
  const auto* worst = worst_verdict(report);
  if (worst == nullptr) return "nothing was expected, so nothing was judged";
  if (worst->status < Status::warn) return counts(report);
  const std::string labels = results::to_text(worst->labels);
  return fmt::format("{}; worst: {}{}{}: {}", counts(report), worst->metric, labels.empty() ? "" : " of ", labels,
                     worst->reason);
}

}  // namespace

Report with_statuses(Report report, const Profile& profile) {
  for (CheckRun& run : report.checks) {
    run.status = results::worst(run.verdicts);
    if (run.verdicts.empty()) run.information = why_nothing(run, profile);
  }
  report.status = results::status_of_checks(report);
  report.summary = summary(report);
  return report;
}

}  // namespace muster::healthcheck
