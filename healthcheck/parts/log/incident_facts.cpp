// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/log/incident_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "results/strings/utf8.hpp"
#include "topology/devices/nvidia.hpp"
#include "topology/devices/pci.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;

constexpr std::size_t max_of_a_message = 400;  // bytes, in a report
constexpr auto suspect = "gpu_suspect";        // of the table of faults

}  // namespace

IncidentFacts::IncidentFacts(KernelFacts& facts, const topology::Sysfs& sysfs, const Incidents& incidents,
                             const Moment& now)
    : facts_(facts), sysfs_(sysfs.quiet()), incidents_(incidents), now_(now) {
  for (const auto& gpu : topology::nvidia_gpus(sysfs_)) gpus_.emplace(gpu.address, std::to_string(gpus_.size()));
}

// What the device at a PCI address is called beside it.
Labels IncidentFacts::names(const Incidents::Key& key) const {
  Labels labels = key.second;
  if (const auto at = labels.find("pci"); at != labels.end()) {
    if (const auto gpu = gpus_.find(at->second); gpu != gpus_.end()) labels.emplace("gpu", gpu->second);
    const auto device = "sys/bus/pci/devices/" + at->second;
    for (const auto& [folder, label] : {std::pair("/infiniband", "nic"), {"/nvme", "drive"}})
      if (const auto found = sysfs_.list(device + folder); !found.empty()) labels.emplace(label, found.front());
  }
  labels.emplace("code", key.first);
  return labels;
}

void IncidentFacts::add(const Catalogue& catalogue) {
  for (const auto& [key, history] : incidents_.histories()) add_history(key, history);
  for (const auto& [code, component] : incidents_.suspects())
    facts_.add("incidents", results::count(1), names({suspect, component}));
  for (const auto& [key, messages] : incidents_.of_earlier_boots())
    facts_.add("earlier_boots", results::count(messages), names(key));
  if (std::ranges::none_of(incidents_.histories(), [&](const auto& each) { return each.second.recovered(now_) > 0; }))
    facts_.add("recovered", results::count(0));
  add_unknown();
  add_quiet(catalogue);
}

void IncidentFacts::add_history(const Incidents::Key& key, const History& history) {
  const auto labels = names(key);
  const auto add = [&](std::string_view subject, std::size_t number) {
    facts_.add(subject, results::count(number), labels);
  };
  add("count", history.messages());
  if (history.is_by_application() || history.can_flap()) add("most_per_hour", history.max_per_hour());
  if (history.is_by_application()) {
    add("by_applications", history.incidents());
  } else {
    add("incidents", history.open(now_));
    if (const auto recovered = history.recovered(now_); recovered > 0) add("recovered", recovered);
    if (const auto ended = history.ended(KernelFault::End::documented); ended > 0) add("ended", ended);
  }
  facts_.add_text("began", history.began().text(), labels);
  facts_.add("last", fmt::format("{}: {}", history.meaning(), results::shortened(history.last(), max_of_a_message)),
             labels);
}

void IncidentFacts::add_unknown() {
  if (incidents_.unknown().empty()) facts_.add("unknown_messages", results::count(0));
  for (const auto& [words, wording] : incidents_.unknown()) {
    const Labels labels{{"wording", results::printable(words)}};
    facts_.add("unknown_messages", results::count(wording.messages), labels);
    facts_.add("last_unknown", results::shortened(wording.last, max_of_a_message), labels);
  }
}

void IncidentFacts::add_quiet(const Catalogue& catalogue) {
  std::set<std::string> told;
  for (const auto& [key, history] : incidents_.histories()) told.insert(key.first);
  std::set<std::pair<std::string, bool>> quiet;
  for (const auto& row : catalogue.rows())
    if (!row.fault.empty() && !told.contains(row.fault)) quiet.emplace(row.fault, row.is_by_application);
  for (const auto& [code, is_by_application] : quiet) {
    const Labels labels{{"code", code}};
    facts_.add("count", results::count(0), labels);
    facts_.add(is_by_application ? "by_applications" : "incidents", results::count(0), labels);
  }
}

}  // namespace muster::healthcheck
