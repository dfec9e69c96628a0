// SPDX-License-Identifier: Apache-2.0
#include "results/values/measurement.hpp"

#include <fmt/format.h>

#include "results/strings/names.hpp"

namespace muster::results {
namespace {

constexpr Names<6> decision_names = {"pass", "fail", "inconclusive", "precise", "fixed", "budget"};

}  // namespace

std::string_view to_text(StoppingDecision decision) { return name_of(decision_names, decision); }

std::optional<StoppingDecision> stopping_decision_from(std::string_view text) {
  return named<StoppingDecision>(decision_names, text);
}

std::string metric_name(std::string_view check, std::string_view subject) {
  return fmt::format("{}.{}", check, subject);
}

std::string_view check_of(std::string_view metric) { return metric.substr(0, metric.find('.')); }

std::string_view subject_of(std::string_view metric) {
  const auto point = metric.find('.');
  return point == metric.npos ? "" : metric.substr(point + 1);
}

std::string to_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return to_text(std::get<Quantity>(value));
}

std::string to_text(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) text += (text.empty() ? "" : ", ") + name + " " + value;
  return text;
}

}  // namespace muster::results
