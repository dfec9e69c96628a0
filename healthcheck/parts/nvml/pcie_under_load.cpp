// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/nvml/pcie_under_load.hpp"

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <utility>

namespace muster::healthcheck {

namespace nvml = benchmarks::nvml;
using results::Limit;

PcieUnderLoad::PcieUnderLoad(const NvmlProbe& gpu) : gpu_(gpu), replays_(ask(nvml::pcie_replays)) {}

nvml::Answer<unsigned> PcieUnderLoad::ask(const nvml::Call<nvml::Device, unsigned*>& call) const {
  if (const auto& gpu = gpu_.gpu()) return gpu->number(call);
  return {.value = std::nullopt, .refusal = {.code = nvml::Code::not_found, .words = gpu_.refusal()}};
}

void PcieUnderLoad::look() {
  generation_ = ask(nvml::pcie_generation);
  width_ = ask(nvml::pcie_width);
}

void PcieUnderLoad::add(Context& context, std::string_view check, const results::Labels& labels) const {
  std::string answer = "read";
  const auto add = [&](std::string_view subject, double value, std::optional<Limit> limit) {
    context.add({.metric = results::metric_name(check, subject),
                 .value = results::Quantity{value, results::Unit::one},
                 .labels = labels,
                 .limit = std::move(limit)});
  };
  const auto known = [&](const nvml::Answer<unsigned>& asked) {
    if (!asked.value && asked.refusal.code != nvml::Code::not_supported) answer = asked.refusal.words;
    return asked.value;
  };
  for (const auto& [subject, seen, most] : {std::tuple("pcie_generation", &generation_, nvml::max_pcie_generation),
                                            std::tuple("pcie_width", &width_, nvml::max_pcie_width)}) {
    const auto value = known(*seen);
    const auto limit = known(ask(most));
    if (value && limit) add(subject, *value, Limit{.value = results::count(*limit), .source = "what GPU and slot can"});
  }
  const auto before = known(replays_);
  const auto after = known(ask(nvml::pcie_replays));
  if (before && after) add("pcie_replays", *after - *before, std::nullopt);
  context.add(results::metric_name(check, "counters"), answer, labels);
}

std::optional<Limit> PcieUnderLoad::nvlinks() const {
  constexpr double bytes_per_megabyte = 1e6;
  const auto& gpu = gpu_.gpu();
  if (!gpu) return std::nullopt;
  double all = 0;
  int active = 0;
  const auto count = gpu->field(nvml::nvlink_count_field).value.value_or(0);
  for (unsigned link = 0; link < count; ++link) {
    if (!gpu->nvlink_is_active(link).value.value_or(false)) continue;
    const auto speed = gpu->field(nvml::nvlink_speed_field, link).value;
    if (!speed) return std::nullopt;
    all += bytes_per_megabyte * static_cast<double>(*speed);
    ++active;
  }
  if (active == 0) return std::nullopt;
  return Limit{.value = {all, results::Unit::byte_per_second}, .source = fmt::format("{} NVLinks", active)};
}

}  // namespace muster::healthcheck
