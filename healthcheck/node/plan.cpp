// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "healthcheck/program/error.hpp"
#include "results/strings/suggest.hpp"

namespace muster::healthcheck {
namespace {

bool needs(const Description& check, Resource resource) {
  return std::ranges::find(check.resources, resource) != check.resources.end();
}

bool wanted(const Description& check, const results::Selection& selection) {
  return selection.selects(check.name) && check.tier <= selection.tier;
}

std::vector<results::Labels> components(Scope scope, const topology::MachineSummary& machine) {
  const auto numbered = [](const char* label, std::size_t count) {
    std::vector<results::Labels> labels;
    for (std::size_t index = 0; index < count; ++index) labels.push_back({{label, std::to_string(index)}});
    return labels;
  };
  switch (scope) {
    case Scope::per_gpu:
      return numbered("gpu", machine.gpu_count);
    case Scope::per_nic:
      return numbered("nic", machine.nic_count);
    case Scope::per_drive:
      return numbered("drive", machine.drive_count);
    case Scope::once:
    case Scope::all_gpus:
    case Scope::ranks:
    case Scope::hosts:
      break;
  }
  return {};
}

}  // namespace

std::vector<Task> plan(const std::vector<Description>& checks, const results::Selection& selection,
                       const topology::MachineSummary& machine) {
  std::vector<Task> tasks;
  for (const Description& check : checks) {
    if (!wanted(check, selection)) continue;
    std::vector<results::Labels> each = components(check.scope, machine);
    if (each.empty()) each.emplace_back();
    for (results::Labels& component : each) tasks.push_back({.check = check, .component = std::move(component)});
  }
  std::ranges::stable_sort(tasks, {}, [](const Task& task) { return task.check.typical_seconds; });
  return tasks;
}

void expect_checks(std::string_view option, const std::vector<std::string>& names,
                   const std::vector<std::string>& known) {
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      throw UsageError(fmt::format("{}: there is no check '{}'; `muster list` shows all.{}", option, name,
                                   results::suggestion(name, known)));
}

void validate(const results::Selection& selection, const std::vector<std::string>& known) {
  expect_checks("--only", selection.only, known);
  expect_checks("--skip", selection.skip, known);
}

bool side_by_side(const Description& one, const Description& other) {
  // Runs of one check for each GPU have a GPU each.
  const bool of_a_gpu_each = one.scope == Scope::per_gpu && one.name == other.name;
  return std::ranges::none_of(one.resources, [&](Resource resource) {
    return needs(other, resource) && (resource != Resource::gpu || !of_a_gpu_each);
  });
}

}  // namespace muster::healthcheck
