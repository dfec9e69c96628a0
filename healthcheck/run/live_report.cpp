// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/live_report.hpp"

#include <algorithm>
#include <utility>

#include "healthcheck/judge/judge.hpp"

namespace muster::healthcheck {

LiveReport::LiveReport(const Setup& setup, const Options& options, results::Report facts)
    : setup_(setup), file_(options), facts_(std::move(facts)) {
  publish();
}

std::size_t LiveReport::count(results::Outcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count(facts_.checks, outcome, &results::CheckRun::outcome));
}

void LiveReport::update(std::size_t index, results::CheckRun run) {
  facts_.checks.at(index) = std::move(run);
  publish();
}

void LiveReport::add(results::CheckRun run) {
  facts_.checks.push_back(std::move(run));
  publish();
}

void LiveReport::publish() {
  facts_.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  judged_ = judge(facts_, setup_.profile, setup_.faults);
  file_.write(judged_);
}

std::vector<std::string> LiveReport::checks_to_confirm() const {
  return healthcheck::checks_to_confirm(facts_, setup_.profile, setup_.faults);
}

}  // namespace muster::healthcheck
