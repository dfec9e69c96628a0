// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "healthcheck/scratch/scratch.hpp"
#include "results/system/version.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::scratch {
namespace {

using Json = nlohmann::ordered_json;

std::string_view state_of(const ScratchState& standing) {
  if (!standing.problem.empty() || standing.plan.is_unknown) return "unknown";
  if (standing.plan.action == Action::none) return "mounted";
  return standing.plan.action == Action::stop ? "stopped" : "planned";
}

Json drives(const ScratchState& standing) {
  Json all = Json::array();
  for (std::size_t at = 0; at < standing.plan.drives.size(); ++at) {
    const auto& drive = standing.facts.drives[at];
    const auto& choice = standing.plan.drives[at];
    all.push_back({{"name", drive.name},
                   {"model", drive.model},
                   {"serial", drive.serial},
                   {"bytes", drive.bytes},
                   {"decision", to_text(choice.decision)},
                   {"reason", choice.reason}});
  }
  return all;
}

}  // namespace

std::string to_json(const ScratchState& standing, const Settings& settings) {
  const auto& plan = standing.plan;
  return Json{{"schema", 1},
              {"tool", {{"name", "muster"}, {"version", results::version()}}},
              {"written", results::utc_now()},
              {"dry_run", settings.dry_run},
              {"mount_at", settings.wishes.mount_at.string()},
              {"model", settings.wishes.model},
              {"state", state_of(standing)},
              {"action", to_text(plan.action)},
              {"reason", standing.problem.empty() ? plan.reason : standing.problem},
              {"array", {{"name", plan.array}, {"uuid", plan.uuid}, {"members", plan.members}}},
              {"drives", drives(standing)}}
             .dump(2) +
         "\n";
}

}  // namespace muster::healthcheck::scratch
