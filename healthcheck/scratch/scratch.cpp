// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/scratch.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <vector>

#include "healthcheck/program/deadline.hpp"
#include "healthcheck/scratch/steps.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck::scratch {
namespace {

using results::Status;

// The answer to whether it is mounted.
std::string_view mounted(const Plan& plan) {
  if (plan.action == Action::none) return "mounted";
  return plan.action == Action::stop && plan.is_unknown ? "unknown" : "not mounted";
}

std::vector<std::string> lines_of(const ScratchState& standing, const Settings& settings) {
  if (!standing.problem.empty()) return {fmt::format("scratch: unknown: {}", standing.problem)};
  std::vector<std::string> lines;
  for (const auto& choice : standing.plan.drives)
    lines.push_back(fmt::format("{}: {}: it {}", choice.name, to_text(choice.decision), choice.reason));
  if (settings.is_mounted)
    lines.push_back(fmt::format("scratch: {}: {}", mounted(standing.plan), standing.plan.reason));
  else
    lines.push_back(fmt::format("scratch: {}{}: {}", settings.dry_run ? "dry run: " : "", to_text(standing.plan.action),
                                standing.plan.reason));
  return lines;
}

Status status_of(const ScratchState& standing, const Settings& settings) {
  const auto action = standing.plan.action;
  if (!standing.problem.empty() || (action == Action::stop && standing.plan.is_unknown)) return Status::unknown;
  if (action == Action::none) return Status::pass;
  return action == Action::stop || settings.is_mounted ? Status::fail : Status::pass;
}

class Provider {
 public:
  Provider(const Settings& settings, Stop& stop, const Say& say) : settings_(settings), stop_(stop), say_(say) {}

  Status result() {
    while (true) {
      settle();
      if (!settings_.every_seconds) return status_of(standing_, settings_);
      stop_.wait_until(std::chrono::steady_clock::now() + ticks(*settings_.every_seconds));
      if (stop_.is_told()) return status_of(standing_, settings_);
    }
  }

 private:
  // Step by step: each leaves a state that the next look knows, so that a run that was killed is gone on with.
  void settle() {
    auto done = Action::none;
    try {
      while (true) {
        ScratchState standing{.facts = facts_of(settings_.sysfs, settings_.wishes), .plan = {}, .problem = {}};
        standing.plan = plan(standing.facts, settings_.wishes);
        become(std::move(standing));
        const auto action = standing_.plan.action;
        if (settings_.dry_run || action == Action::stop) return;
        if (action == Action::none) return open_to_all(settings_.wishes.mount_at);
        if (action == done)
          throw std::runtime_error(fmt::format("after '{}' nothing is to be seen of it", to_text(action)));
        perform(standing_.plan, standing_.facts, settings_.sysfs, settings_.wishes);
        done = action;
      }
    } catch (const results::Error&) {
      throw;
    } catch (const std::exception& error) {
      become({.facts = {}, .plan = {}, .problem = error.what()});
    }
  }

  void become(ScratchState standing) {
    standing_ = std::move(standing);
    if (settings_.status) results::write_atomically(*settings_.status, to_json(standing_, settings_));
    auto lines = lines_of(standing_, settings_);
    if (lines == said_) return;
    for (const auto& line : lines) say_(line);
    said_ = std::move(lines);
  }

  const Settings& settings_;
  Stop& stop_;
  const Say& say_;
  ScratchState standing_;
  std::vector<std::string> said_;
};

}  // namespace

Status provide(const Settings& settings, Stop& stop, const Say& say) { return Provider(settings, stop, say).result(); }

}  // namespace muster::healthcheck::scratch
