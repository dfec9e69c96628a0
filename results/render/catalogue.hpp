// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::results {

// What a fault code means, beyond what a verdict says of it.
struct FaultWords {
  std::string meaning;                // a sentence
  std::string evidence;               // where to look for more
  std::vector<std::string> commands;  // that show it; {gpu} stands for the label of that name
  std::string azure_code;             // as those of a verdict
  std::string azure_category;
};

// What is known of metrics and faults where the program runs. Renderers read no files, so that they are told.
struct Catalogue {
  std::function<std::string(std::string_view metric)> meaning;  // empty where it is not known
  std::function<std::optional<FaultWords>(std::string_view code)> fault;
};

// The same of a view that may have no catalogue.
std::string meaning_of(const Catalogue* catalogue, std::string_view metric);
FaultWords words_of(const Catalogue* catalogue, std::string_view fault);

}  // namespace muster::results
