// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/slurm_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "benchmarks/ranks/launcher.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/start/host_ranges.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view tasks_variable = "SLURM_TASKS_PER_NODE";
constexpr std::size_t max_shown_of_tasks = 100;  // bytes of the value

[[noreturn]] void refuse_tasks(std::string_view text, std::string_view why) {
  throw UsageError(fmt::format("{} is '{}': {}; ask Slurm for --ntasks-per-node, or give --ranks-on-each",
                               tasks_variable, results::shortened(text, max_shown_of_tasks), why));
}

bool says_something(const char* const* environment, std::string_view name) {
  const auto value = benchmarks::variable(environment, name);
  return value && !value->empty();
}

// Of "2(x3)": 2 tasks on each of 3 nodes; of "2": on one.
struct TasksOfNodes {
  std::size_t tasks = 0;
  std::size_t nodes = 1;
};

std::optional<TasksOfNodes> tasks_of_part(std::string_view part) {
  constexpr std::string_view times = "(x";
  const auto bracket = part.find(times);
  const auto tasks = slots_from(part.substr(0, bracket));
  if (!tasks) return std::nullopt;
  if (bracket == part.npos) return TasksOfNodes{.tasks = *tasks};
  auto rest = part.substr(bracket + times.size());
  if (!rest.ends_with(')')) return std::nullopt;
  rest.remove_suffix(1);
  const auto nodes = slots_from(rest);
  return nodes ? std::optional(TasksOfNodes{*tasks, *nodes}) : std::nullopt;
}

// "2(x3),1" -> 2 2 2 1, of no more nodes than a job can have.
std::vector<std::size_t> tasks_of_nodes(std::string_view text) {
  std::vector<std::size_t> tasks;
  for (auto rest = text;;) {
    const auto comma = rest.find(',');
    const auto part = tasks_of_part(rest.substr(0, comma));
    if (!part) refuse_tasks(text, "Slurm writes tasks of nodes as in 2(x3),1");
    tasks.insert(tasks.end(), std::min(part->nodes, max_hosts + 1), part->tasks);
    if (tasks.size() > max_hosts) refuse_tasks(text, fmt::format("that is of more than {} nodes", max_hosts));
    if (comma == rest.npos) return tasks;
    rest = rest.substr(comma + 1);
  }
}

}  // namespace

std::vector<NamedHost> with_slurm_tasks(std::vector<NamedHost> nodes, const char* const* environment) {
  const auto says = [&](std::string_view name) { return says_something(environment, name); };
  const bool asked_for_tasks = says("SLURM_NTASKS") || says("SLURM_NTASKS_PER_NODE");
  if (!says(tasks_variable) || !asked_for_tasks || says("SLURM_STEP_ID")) return nodes;
  const auto text = *benchmarks::variable(environment, tasks_variable);
  const auto tasks = tasks_of_nodes(text);
  if (tasks.size() != nodes.size())
    refuse_tasks(text, fmt::format("that is of {} node{}, and the job has {}", tasks.size(),
                                   tasks.size() == 1 ? "" : "s", nodes.size()));
  const auto other = std::ranges::find_if(tasks, [&](std::size_t each) { return each != tasks.front(); });
  if (other != tasks.end())
    refuse_tasks(text, fmt::format("{} has {} where {} has {}, and a job has as many ranks on each node",
                                   nodes[static_cast<std::size_t>(other - tasks.begin())].name, *other,
                                   nodes.front().name, tasks.front()));
  for (std::size_t node = 0; node < nodes.size(); ++node) nodes[node].slots = tasks[node];
  return nodes;
}

std::vector<std::string> variables_of_slurm(std::size_t nodes, std::size_t ranks_on_each,
                                            const char* const* environment) {
  const auto job = benchmarks::variable(environment, "SLURM_JOB_ID");
  if (!job) return {};
  auto list = benchmarks::variable(environment, "SLURM_JOB_NODELIST");
  if (!list) list = benchmarks::variable(environment, "SLURM_NODELIST");
  std::vector<std::string> variables;
  const auto set = [&](std::string_view name, std::string_view value) {
    variables.push_back(fmt::format("{}={}", name, value));
  };
  for (const auto* name : {"SLURM_JOB_ID", "SLURM_JOBID"}) set(name, *job);
  for (const auto* name : {"SLURM_JOB_NODELIST", "SLURM_NODELIST"}) set(name, list.value_or(""));
  for (const auto* name : {"SLURM_JOB_NUM_NODES", "SLURM_NNODES"}) set(name, std::to_string(nodes));
  set(tasks_variable, fmt::format("{}(x{})", ranks_on_each, nodes));
  for (const auto* name : {"SLURM_CONF", "SLURM_WORKING_CLUSTER", "SLURM_GPUS", "SLURM_GPUS_PER_NODE"})
    if (const auto value = benchmarks::variable(environment, name)) set(name, *value);
  // A step that waits for the resources of the one that it is started in waits for ever.
  if (says_something(environment, "SLURM_STEP_ID")) set("SLURM_OVERLAP", "1");
  return variables;
}

}  // namespace muster::healthcheck
