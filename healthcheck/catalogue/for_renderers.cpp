// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/for_renderers.hpp"

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/program/installation.hpp"

namespace muster::healthcheck {
namespace {

std::string meaning(std::string_view metric) {
  const Metric* known = known_metrics().find(metric);
  return known == nullptr ? "" : known->meaning;
}

std::optional<results::FaultWords> words(std::string_view code) {
  static const Faults faults(installation().faults);
  const Fault* known = faults.find(code);
  if (known == nullptr) return std::nullopt;
  return results::FaultWords{.meaning = known->meaning,
                             .evidence = known->evidence,
                             .commands = known->commands,
                             .azure_code = known->azure_code,
                             .azure_category = known->azure_category};
}

}  // namespace

const results::Catalogue& known_catalogue() {
  static const results::Catalogue catalogue{.meaning = meaning, .fault = words};
  return catalogue;
}

}  // namespace muster::healthcheck
