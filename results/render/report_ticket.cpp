// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/render/text.hpp"
#include "results/render/ticket.hpp"
#include "results/strings/utf8.hpp"
#include "results/values/problems.hpp"

namespace muster::results {
namespace {

using Facts = std::array<std::pair<std::string_view, std::string_view>, 11>;

// Of a host's fingerprint, what leaves the house; results/FORMATS.md lists it.
constexpr Facts facts_of_machine = {{{"physical_host_name", "physical host"},
                                     {"virtual_machine_id", "virtual machine"},
                                     {"gpu_model", "GPUs"},
                                     {"nvidia_driver", "GPU driver"},
                                     {"cuda_toolkit", "CUDA"},
                                     {"hca_firmware", "adapters' firmware"},
                                     {"nvme_firmware", "drives' firmware"},
                                     {"cpu_model", "CPUs"},
                                     {"distribution", "distribution"},
                                     {"kernel", "kernel"},
                                     {"container", "container"}}};

// Labels that are a part of the machine's name for a component, and those that are the maker's.
constexpr std::array<std::string_view, 6> names_of_components = {"gpu", "nic", "port", "drive", "pci", "interface"};
constexpr std::array<std::string_view, 3> makers_names = {"serial", "gpu_uuid", "guid"};
constexpr std::array<std::string_view, 3> facts_with_names = {"gpu_state.serial", "gpu_state.uuid", "gpu_state.model"};

std::vector<Row> machine_of(const Report& report) {
  std::vector<Row> rows;
  for (const Host& host : report.hosts) {
    rows.push_back({"host", host.name});
    for (const auto& [name, word] : facts_of_machine)
      if (const auto fact = host.fingerprint.find(name); fact != host.fingerprint.end())
        rows.push_back({std::string(word), fact->second});
  }
  rows.push_back({"tested", fmt::format("{}, for {:.0f} s, tier {}", report.started, report.duration_seconds,
                                        to_text(report.selection.tier))});
  rows.push_back({"judged by", fmt::format("profile {}, muster {}", report.profile.name, report.version)});
  rows.push_back({"run", report.run_id});
  return rows;
}

TicketFinding finding_of(const Problem& problem, bool several_hosts) {
  const Verdict& verdict = problem.verdict;
  auto what = finding_name(verdict.metric, verdict.labels);
  if (several_hosts) what += fmt::format(" on {}", problem.host);
  const bool says_it = verdict.expected.empty() || verdict.reason.find(verdict.expected) != std::string::npos;
  return {.status = verdict.status,
          .what = what,
          .reason = says_it ? verdict.reason : fmt::format("{}; expected: {}", verdict.reason, verdict.expected),
          .fault = verdict.fault,
          .action = verdict.action,
          .azure_code = verdict.azure_code,
          .azure_category = verdict.azure_category,
          .labels = verdict.labels,
          .times = count(problem)};
}

// What the machine calls the component of these labels; empty where it is none.
std::string component_of(const Labels& labels) {
  std::vector<std::string> words;
  for (const auto name : names_of_components)
    if (const auto label = labels.find(name); label != labels.end())
      words.push_back(fmt::format("{} {}", name, label->second));
  return fmt::format("{}", fmt::join(words, ", "));
}

// Whether a fact is about the same GPU, adapter or drive.
bool is_of(const Labels& component, const Labels& fact) {
  return std::ranges::any_of(std::array{"pci", "gpu", "drive", "nic"}, [&](const char* name) {
    const auto own = component.find(name);
    const auto other = fact.find(name);
    return own != component.end() && other != fact.end() && own->second == other->second;
  });
}

void add_facts(std::set<std::string>& names, const Report& report, const Labels& component) {
  for (const CheckRun& run : report.checks)
    for (const Measurement& fact : run.measurements) {
      const auto* text = std::get_if<std::string>(&fact.value);
      const bool has_name = std::ranges::find(facts_with_names, fact.metric) != facts_with_names.end();
      if (text == nullptr || !has_name || !is_of(component, fact.labels)) continue;
      names.insert(fmt::format("{} {}", subject_of(fact.metric), *text));
    }
}

// Of the components that the findings are about, and of no others.
std::vector<Row> serials_of(const Report& report, const std::vector<Problem>& found) {
  std::vector<Row> rows;
  for (const Problem& problem : found) {
    auto labels = problem.verdict.labels;
    const auto component = component_of(labels);
    if (component.empty() ||
        std::ranges::find(rows, component, [](const Row& row) { return row.front(); }) != rows.end())
      continue;
    std::set<std::string> names;
    for (const auto name : makers_names)
      if (const auto label = labels.find(name); label != labels.end())
        names.insert(fmt::format("{} {}", name, label->second));
    add_facts(names, report, labels);
    if (!names.empty()) rows.push_back({component, fmt::format("{}", fmt::join(names, ", "))});
  }
  return rows;
}

// The checks that found something, once more; of a job, how it was started is not known.
std::string look_again(const Report& report, const std::vector<Problem>& found) {
  std::vector<std::string> checks;
  for (const Problem& problem : found)
    if (std::ranges::find(checks, problem.check) == checks.end()) checks.push_back(problem.check);
  std::erase_if(checks, [](const std::string& check) {
    return check.empty() || check.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != check.npos;
  });
  if (checks.empty() || report.hosts.size() > 1) return "";
  return fmt::format("muster node --tier {} --only {} --all", to_text(report.selection.tier), fmt::join(checks, ","));
}

}  // namespace

std::string to_ticket(const Report& report, const View& view) {
  const auto found = together(problems(report));
  Ticket ticket{.node = report.hosts.empty() ? "?" : report.hosts.front().name,
                .status = report.status,
                .summary = report.summary,
                .machine = machine_of(report),
                .serials = serials_of(report, found),
                .findings = {},
                .check_again = look_again(report, found)};
  if (report.hosts.size() > 1) ticket.node = fmt::format("{} hosts", report.hosts.size());
  for (const Problem& problem : found) ticket.findings.push_back(finding_of(problem, report.hosts.size() > 1));
  return ticket_text(ticket, view.catalogue);
}

}  // namespace muster::results
