// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/nvml/memory_errors.hpp"

#include <cstddef>
#include <utility>

namespace muster::healthcheck {

namespace nvml = benchmarks::nvml;

MemoryErrors::MemoryErrors(const NvmlProbe& gpu) : gpu_(gpu), before_(read()) {}

void MemoryErrors::add_growth(Context& context, std::string_view check, const results::Labels& labels) const {
  std::string answer = gpu_.gpu() ? "read" : gpu_.refusal();
  const auto after = read();
  for (std::size_t index = 0; index < after.size(); ++index) {
    const auto& [subject, which, now] = after[index];
    const auto& then = before_[index].value;
    if (then.value && now.value) {
      auto all = labels;
      all.insert(which.begin(), which.end());
      context.add(results::metric_name(check, subject), results::count(*now.value - *then.value), std::move(all));
    } else if (now.refusal.code != nvml::Code::not_supported) {
      answer = now.value ? then.refusal.words : now.refusal.words;
    }
  }
  context.add(results::metric_name(check, "counters"), answer, labels);
}

std::vector<MemoryErrors::Counter> MemoryErrors::read() const {
  std::vector<Counter> counters;
  const auto& gpu = gpu_.gpu();
  if (!gpu) return counters;
  for (const auto& [subject, type] :
       {std::pair("ecc_correctable", nvml::corrected), std::pair("ecc_uncorrectable", nvml::uncorrected)})
    for (const auto& [memory, location] : {std::pair("dram", nvml::in_dram), std::pair("sram", nvml::in_sram)})
      counters.push_back({.subject = subject,
                          .labels = {{"memory", memory}},
                          .value = gpu->memory_errors(type, nvml::since_the_driver_was_loaded, location)});
  const auto rows = gpu->remapped_rows();
  for (const auto& [errors, count] : {std::pair("correctable", &nvml::RemappedRows::corrected),
                                      std::pair("uncorrectable", &nvml::RemappedRows::uncorrected)}) {
    nvml::Answer<std::uint64_t> of_these{.value = std::nullopt, .refusal = rows.refusal};
    if (rows.value) of_these.value = (*rows.value).*count;
    counters.push_back({.subject = "row_remaps", .labels = {{"errors", errors}}, .value = of_these});
  }
  return counters;
}

}  // namespace muster::healthcheck
