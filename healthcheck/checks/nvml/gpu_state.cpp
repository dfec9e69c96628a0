// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "benchmarks/nvml/gpu.hpp"
#include "benchmarks/nvml/words.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/gpu_choice.hpp"
#include "healthcheck/parts/nvml/state.hpp"

namespace muster::healthcheck {
namespace {

namespace nvml = benchmarks::nvml;
using nvml::Code;

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

  void add_options(CommandLine& line) override { choice_.add_to(line); }

  void expect_possible(const Context& context) const override { choice_.expect_possible(context); }

  void run(Context& context) override {
    const auto gpus = choice_.gpus(context);
    context.phase("starting NVML");
    const auto library = started();
    add_system(context, *library);
    for (const auto& gpu : gpus) ask(context, *library, gpu);
  }

 private:
  static std::unique_ptr<nvml::Library> started() {
    try {
      return std::make_unique<nvml::Library>();
    } catch (const nvml::NoLibrary& nothing) {
      throw Skip(nothing.what());
    }
  }

  static void ask(Context& context, const nvml::Library& library, const SelectedGpu& chosen) {
    context.phase(fmt::format("asking GPU {} at {}", chosen.index, chosen.address));
    const auto gpu = nvml::gpu_at(library, chosen.address);
    if (gpu.value)
      add_state(context, *gpu.value, chosen.labels());
    else
      context.add("gpu_state.answer", gpu.refusal.words, chosen.labels());
  }

  GpuChoice choice_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<GpuState>(); }

}  // namespace muster::healthcheck
