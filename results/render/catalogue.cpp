// SPDX-License-Identifier: Apache-2.0
#include "results/render/catalogue.hpp"

namespace muster::results {

std::string meaning_of(const Catalogue* catalogue, std::string_view metric) {
  return catalogue == nullptr ? "" : catalogue->meaning(metric);
}

FaultWords words_of(const Catalogue* catalogue, std::string_view fault) {
  return catalogue == nullptr ? FaultWords{} : catalogue->fault(fault).value_or(FaultWords{});
}

}  // namespace muster::results
