// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/nvml/gpu.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/context.hpp"
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
                confidential.value ? on_or_off(*confidential.value) : confidential.refusal.words);
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

  void run(Context& context) override {
    context.phase("starting NVML");
    const auto library = started();
    add_system(context, *library);
    context.phase("listing GPUs");
    const auto addresses = listed(context, *library);
    if (gpu_ && *gpu_ >= addresses.size())
      throw Skip(fmt::format("there is no GPU {}: this machine has {}", *gpu_, addresses.size()));
    for (std::size_t index = gpu_.value_or(0); index < (gpu_ ? *gpu_ + 1 : addresses.size()); ++index)
      ask(context, *library, index, addresses[index]);
  }

 private:
  static std::unique_ptr<nvml::Library> started() {
    try {
      return std::make_unique<nvml::Library>();
    } catch (const nvml::NoLibrary& nothing) {
      throw Skip(nothing.what());
    }
  }

  // As the kernel lists them; where it lists none, as NVML does.
  static std::vector<std::string> listed(const Context& context, const nvml::Library& library) {
    std::vector<std::string> addresses;
    for (const auto& gpu : topology::nvidia_gpus(context.sysfs())) addresses.push_back(gpu.address);
    if (addresses.empty()) addresses = nvml::gpu_addresses(library);
    if (addresses.empty()) throw Skip("no NVIDIA GPU");
    return addresses;
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
