// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "healthcheck/check/topology_file.hpp"
#include "healthcheck/program/error.hpp"
#include "results/strings/suggest.hpp"
#include "topology/devices/infiniband.hpp"

namespace muster::healthcheck {
namespace {

bool needs(const Description& check, Resource resource) {
  return std::ranges::find(check.resources, resource) != check.resources.end();
}

bool wanted(const Description& check, const results::Selection& selection) {
  return selection.selects(check.name) && check.tier <= selection.tier;
}

std::vector<results::Labels> components(Scope scope, const topology::MachineSummary& traits) {
  const auto numbered = [](const char* label, std::size_t count) {
    std::vector<results::Labels> labels;
    for (std::size_t index = 0; index < count; ++index) labels.push_back({{label, std::to_string(index)}});
    return labels;
  };
  switch (scope) {
    case Scope::per_gpu:
      return numbered("gpu", traits.gpu_count);
    case Scope::per_nic:
      return numbered("nic", traits.nic_count);
    case Scope::per_drive:
      return numbered("drive", traits.drive_count);
    case Scope::once:
    case Scope::all_gpus:
    case Scope::ranks:
    case Scope::hosts:
      break;
  }
  return {};
}

}  // namespace

std::string cannot_run(const Description& check, const topology::MachineSummary& traits) {
  const bool wants_gpu = check.scope == Scope::per_gpu || check.scope == Scope::all_gpus || needs(check, Resource::gpu);
  if (wants_gpu && traits.gpu_count == 0) return "no NVIDIA GPU";
  if (wants_gpu && check.scope == Scope::ranks && traits.gpu_count == 1)
    return "one GPU has none to exchange data with";
  if (check.scope == Scope::per_nic && traits.nic_count == 0) return "no InfiniBand adapter";
  if (check.scope == Scope::per_drive && traits.drive_count == 0) return "no NVMe drive";
  return {};
}

std::string nothing_to_measure(const Description& check, const topology::Sysfs& sysfs,
                               const topology::MachineSummary& traits) {
  if (auto reason = cannot_run(check, traits); !reason.empty() || !check.part) return reason;
  const auto is_drive = [&](const auto& name) { return sysfs.exists("sys/block/" + name + "/device"); };
  switch (*check.part) {
    case Part::nvidia_gpu:
      return traits.gpu_count == 0 ? "no NVIDIA GPU" : "";
    case Part::rdma_device:
      return topology::hcas(sysfs).empty() ? "no RDMA device" : "";
    case Part::several_drives:
      return std::ranges::count_if(sysfs.list("sys/block"), is_drive) < 2 ? "one drive has no siblings" : "";
    case Part::topology_file:
      return topology_file(sysfs, std::nullopt) || find_machine(sysfs).switches == topology::Switches::recognised
                 ? ""
                 : "NCCL is told no topology file here";
  }
  return {};
}

std::vector<Task> plan(const std::vector<Description>& checks, const results::Selection& selection,
                       const topology::MachineSummary& traits) {
  std::vector<Task> tasks;
  for (const Description& check : checks) {
    if (!wanted(check, selection)) continue;
    std::vector<results::Labels> each = components(check.scope, traits);
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
