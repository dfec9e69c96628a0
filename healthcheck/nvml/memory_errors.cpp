// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/nvml/memory_errors.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace muster::healthcheck {

namespace nvml = benchmarks::nvml;

MemoryErrors::MemoryErrors(const std::string& pci_address) {
  try {
    library_ = std::make_unique<nvml::Library>();
  } catch (const std::runtime_error& error) {
    refusal_ = error.what();
    return;
  }
  const auto gpu = nvml::gpu_at(*library_, pci_address);
  gpu_ = gpu.value;
  refusal_ = gpu.refusal.words;
  before_ = read();
}

results::Labels MemoryErrors::identity() const {
  results::Labels labels;
  if (!gpu_) return labels;
  for (const auto& [label, call] : {std::pair("gpu_uuid", nvml::uuid), std::pair("serial", nvml::serial)})
    if (const auto text = gpu_->text(call); text.value) labels.emplace(label, *text.value);
  return labels;
}

void MemoryErrors::add_growth(Context& context, std::string_view check, const results::Labels& labels) const {
  std::string answer = gpu_ ? "read" : refusal_;
  const auto after = read();
  for (std::size_t index = 0; index < after.size(); ++index) {
    const auto& [subject, which, now] = after[index];
    const auto& then = before_[index].value;
    if (then.value && now.value) {
      auto all = labels;
      all.insert(which.begin(), which.end());
      context.add(fmt::format("{}.{}", check, subject), results::count(*now.value - *then.value), std::move(all));
    } else if (now.refusal.code != nvml::Code::not_supported) {
      answer = now.value ? then.refusal.words : now.refusal.words;
    }
  }
  context.add(fmt::format("{}.counters", check), answer, labels);
}

std::vector<MemoryErrors::Counter> MemoryErrors::read() const {
  std::vector<Counter> counters;
  if (!gpu_) return counters;
  for (const auto& [subject, type] :
       {std::pair("ecc_correctable", nvml::corrected), std::pair("ecc_uncorrectable", nvml::uncorrected)})
    for (const auto& [memory, location] : {std::pair("dram", nvml::in_dram), std::pair("sram", nvml::in_sram)})
      counters.push_back({.subject = subject,
                          .labels = {{"memory", memory}},
                          .value = gpu_->memory_errors(type, nvml::since_the_driver_was_loaded, location)});
  const auto rows = gpu_->remapped_rows();
  for (const auto& [errors, count] : {std::pair("correctable", &nvml::RemappedRows::corrected),
                                      std::pair("uncorrectable", &nvml::RemappedRows::uncorrected)}) {
    nvml::Answer<std::uint64_t> of_these{.value = std::nullopt, .refusal = rows.refusal};
    if (rows.value) of_these.value = (*rows.value).*count;
    counters.push_back({.subject = "row_remaps", .labels = {{"errors", errors}}, .value = of_these});
  }
  return counters;
}

}  // namespace muster::healthcheck
