// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/context.hpp"

#include <utility>

namespace muster::healthcheck {

Context::Context(Setting setting, results::CheckRun& run, Record record)
    : setting_(std::move(setting)), run_(run), record_(std::move(record)) {}

void Context::add(results::Measurement measurement) {
  run_.measurements.push_back(std::move(measurement));
  record_(run_);
}

void Context::add(std::string metric, results::Value value, results::Labels labels) {
  add(results::Measurement{.metric = std::move(metric), .value = std::move(value), .labels = std::move(labels)});
}

void Context::phase(std::string_view phase) {
  run_.phase = phase;
  record_(run_);
}

}  // namespace muster::healthcheck
