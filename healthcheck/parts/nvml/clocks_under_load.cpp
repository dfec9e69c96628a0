// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/nvml/clocks_under_load.hpp"

#include <algorithm>

#include "benchmarks/nvml/words.hpp"
#include "results/values/samples.hpp"

namespace muster::healthcheck {

namespace nvml = benchmarks::nvml;
using results::Quantity;
using results::Unit;

template <class Value>
std::optional<Value> ClocksUnderLoad::known(const nvml::Answer<Value>& asked) {
  if (!asked.value && asked.refusal.code != nvml::Code::not_supported) answer_ = asked.refusal.words;
  return asked.value;
}

void ClocksUnderLoad::look() {
  constexpr double watts_per_milliwatt = 1e-3;
  const auto& gpu = gpu_.gpu();
  if (!gpu) {
    answer_ = gpu_.refusal();
    return;
  }
  if (const auto hertz = known(gpu->clock_hertz(nvml::clock, nvml::of_multiprocessors))) hertz_.push_back(*hertz);
  if (const auto milliwatts = known(gpu->number(nvml::power))) watts_.push_back(*milliwatts * watts_per_milliwatt);
  if (const auto celsius = known(gpu->temperature_celsius())) celsius_.push_back(*celsius);
  if (const auto mask = known(gpu->slow_clock_reasons())) reasons_ = reasons_.value_or(0) | *mask;
}

std::optional<double> ClocksUnderLoad::clock() const {
  if (hertz_.empty()) return std::nullopt;
  return results::median(hertz_);
}

void ClocksUnderLoad::add(Context& context, std::string_view check, const results::Labels& labels) {
  const auto name = [&](std::string_view subject) { return results::metric_name(check, subject); };
  const auto& gpu = gpu_.gpu();
  if (const auto hertz = clock(); hertz && gpu) {
    const auto most = known(gpu->clock_hertz(nvml::max_clock, nvml::of_multiprocessors));
    std::optional<results::Limit> limit;
    if (most) limit = {.value = {*most, Unit::hertz}, .source = "highest clock of the GPU"};
    context.add(
        {.metric = name("clock"), .value = Quantity{*hertz, Unit::hertz}, .labels = labels, .limit = std::move(limit)});
  }
  if (!watts_.empty()) context.add(name("power"), Quantity{results::median(watts_), Unit::watt}, labels);
  if (!celsius_.empty()) context.add(name("temperature"), Quantity{std::ranges::max(celsius_), Unit::celsius}, labels);
  if (reasons_) {
    context.add(name("clock_reasons"), nvml::slow_clock_words(*reasons_), labels);
    context.add(name("slowdowns"), nvml::slow_clock_words(*reasons_ & nvml::slowdowns), labels);
  }
  hertz_.clear();
  watts_.clear();
  celsius_.clear();
  reasons_.reset();
}

}  // namespace muster::healthcheck
