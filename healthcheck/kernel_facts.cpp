// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kernel_facts.hpp"

#include <fmt/format.h>

#include "topology/error.hpp"

namespace muster::healthcheck {

void KernelFacts::add(std::string_view subject, results::Value value, results::Labels labels) {
  facts_.push_back(
      {.metric = fmt::format("{}.{}", check_, subject), .value = std::move(value), .labels = std::move(labels)});
}

void KernelFacts::add_text(std::string_view subject, const std::string& text, results::Labels labels) {
  if (!text.empty()) add(subject, text, std::move(labels));
}

void KernelFacts::attempt(const std::function<void()>& read) {
  try {
    read();
  } catch (const topology::Error& error) {
    damaged(error.path(), error.what());
  }
}

void KernelFacts::damaged(const std::string& path, const std::string& sentence) {
  ++unreadable_;
  add("unreadable", sentence, {{"path", path}});
}

void KernelFacts::save() {
  context_.add(std::move(facts_));
  facts_.clear();
}

void KernelFacts::end() {
  add("unreadable_files", results::count(unreadable_));
  save();
}

}  // namespace muster::healthcheck
