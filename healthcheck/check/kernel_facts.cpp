// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/kernel_facts.hpp"

#include "topology/kernel/error.hpp"
#include "topology/kernel/owner.hpp"

namespace muster::healthcheck {

void KernelFacts::add(std::string_view subject, results::Value value, results::Labels labels) {
  facts_.push_back(
      {.metric = results::metric_name(check_, subject), .value = std::move(value), .labels = std::move(labels)});
}

void KernelFacts::add_text(std::string_view subject, const std::string& text, results::Labels labels) {
  if (!text.empty()) add(subject, text, std::move(labels));
}

void KernelFacts::attempt(const std::function<void()>& read) {
  try {
    read();
  } catch (const topology::Error& error) {
    context_.damaged(error);
  }
}

void KernelFacts::compare(topology::Kin kin) {
  for (const auto& file : topology::odd_files(context_.sysfs(), kin)) {
    auto labels = topology::owner(file.path);
    labels.emplace("path", file.path);
    add("odd_file", file.problem, std::move(labels));
  }
}

void KernelFacts::save() {
  context_.add(std::move(facts_));
  facts_.clear();
}

void KernelFacts::end() {
  add("unreadable_files", results::count(context_.damaged_files()));
  save();
}

}  // namespace muster::healthcheck
