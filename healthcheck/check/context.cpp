// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "healthcheck/catalogue/unreadable.hpp"
#include "topology/kernel/owner.hpp"

namespace muster::healthcheck {
namespace {

// JSON has no other numbers, so that the report could not be written any more.
void expect_finite(const results::Measurement& measurement) {
  const auto* value = std::get_if<results::Quantity>(&measurement.value);
  if (value != nullptr && !std::isfinite(value->value))
    throw std::domain_error(
        fmt::format("{} was measured as {}, which is not a number", measurement.metric, value->value));
}

}  // namespace

Context::Context(Setting setting, results::CheckRun& run, Record record)
    : setting_(std::move(setting)), run_(run), record_(std::move(record)) {
  setting_.sysfs = setting_.sysfs.told_to([this](const topology::Error& error) { damaged(error); });
}

benchmarks::Ranks& Context::ranks() const {
  if (setting_.ranks == nullptr) throw std::logic_error("this check was started without ranks");
  return *setting_.ranks;
}

benchmarks::SamplingGoal Context::goal(std::string_view metric, const results::Labels& labels,
                                       const std::optional<results::Limit>& limit) const {
  return setting_.goal ? setting_.goal(metric, labels, limit) : benchmarks::SamplingGoal{};
}

void Context::await_turn() {
  if (is_turn()) return;
  phase("waiting for its turn");
  const auto start = std::chrono::steady_clock::now();
  setting_.turn->await();
  waited_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Context::select(std::string label, std::vector<std::string> values) {
  const std::lock_guard lock(mutex_);
  run_.selected[std::move(label)] = std::move(values);
  record_(run_);
}

void Context::add(results::Measurement measurement) {
  expect_finite(measurement);
  const std::lock_guard lock(mutex_);
  run_.measurements.push_back(std::move(measurement));
  record_(run_);
}

void Context::add(std::string metric, results::Value value, results::Labels labels) {
  add(results::Measurement{.metric = std::move(metric), .value = std::move(value), .labels = std::move(labels)});
}

void Context::add(std::vector<results::Measurement> measurements) {
  std::ranges::for_each(measurements, expect_finite);
  const std::lock_guard lock(mutex_);
  std::ranges::move(measurements, std::back_inserter(run_.measurements));
  record_(run_);
}

void Context::damaged(const topology::Error& error) {
  const std::lock_guard lock(mutex_);
  if (!damaged_.insert(error.what()).second) return;
  auto labels = topology::owner(error.path());
  labels.emplace("path", error.path());
  run_.measurements.push_back({.metric = results::metric_name(run_.check, unreadable_file),
                               .value = std::string(error.what()),
                               .labels = std::move(labels)});
  record_(run_);
}

std::size_t Context::damaged_files() const {
  const std::lock_guard lock(mutex_);
  return damaged_.size();
}

void Context::phase(std::string_view phase) {
  const std::lock_guard lock(mutex_);
  run_.phase = phase;
  record_(run_);
}

}  // namespace muster::healthcheck
