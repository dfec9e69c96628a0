// SPDX-License-Identifier: Apache-2.0
#include "results/values/measurement.hpp"

namespace muster::results {

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
