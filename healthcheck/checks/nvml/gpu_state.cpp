// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "benchmarks/nvml/gpu.hpp"
#include "benchmarks/nvml/words.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/context.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/nvml/state.hpp"
#include "topology/pci.hpp"

namespace muster::healthcheck {
namespace {

namespace nvml = benchmarks::nvml;
using nvml::Code;
using results::Labels;

void add_system(Context& context, const nvml::Library& library) {
  for (const auto& [subject, call] :
       {std::pair("driver_version", nvml::driver_version), std::pair("nvml_version", nvml::library_version)}) {
    const auto text = library.text(call);
    context.add(fmt::format("gpu_state.{}", subject), text.value.value_or(text.refusal.words));
  }
  const auto confidential = library.confidential();
  if (confidential.refusal.code != Code::not_supported)
    context.add("gpu_state.confidential_mode",
                confidential.value ? nvml::on_or_off(*confidential.value) : confidential.refusal.words);
}

class GpuState final : public Check {
 public:
  Description describe() const override {
    return {
        .name = "gpu_state",
        .summary = "What NVML says of a GPU: identity, modes, memory errors, row remaps, links, fabric, clocks, heat",
        .scope = Scope::per_gpu,
        .resources = {Resource::gpu},  // whose programs would be taken for strangers
        .tier = results::Tier::preflight,
        .typical_seconds = 0.5};
  }

  void add_options(CommandLine& line) override {
    line.add("--gpu", gpu_, "Which GPU, as the kernel counts them by their addresses (default: all)");
  }

  void expect_possible(const Context& context) const override {
    const auto count = topology::nvidia_gpus(context.sysfs()).size();
    if (gpu_ && *gpu_ >= count)
      throw UsageError(fmt::format("--gpu {}: the kernel lists {} NVIDIA GPUs, counted from 0", *gpu_, count));
  }

  void run(Context& context) override {
    const auto gpus = topology::nvidia_gpus(context.sysfs());
    if (gpus.empty()) throw Skip("no NVIDIA GPU");
    context.phase("starting NVML");
    const auto library = started();
    add_system(context, *library);
    for (std::size_t index = 0; index < gpus.size(); ++index)
      if (!gpu_ || *gpu_ == index) ask(context, *library, index, gpus[index].address);
  }

 private:
  static std::unique_ptr<nvml::Library> started() {
    try {
      return std::make_unique<nvml::Library>();
    } catch (const nvml::NoLibrary& nothing) {
      throw Skip(nothing.what());
    }
  }

  static void ask(Context& context, const nvml::Library& library, std::size_t index, const std::string& address) {
    context.phase(fmt::format("asking GPU {} at {}", index, address));
    const Labels labels = {{"gpu", std::to_string(index)}, {"pci", address}};
    const auto gpu = nvml::gpu_at(library, address);
    if (gpu.value)
      add_state(context, *gpu.value, labels);
    else
      context.add("gpu_state.answer", gpu.refusal.words, labels);
  }

  std::optional<std::size_t> gpu_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<GpuState>(); }

}  // namespace muster::healthcheck
