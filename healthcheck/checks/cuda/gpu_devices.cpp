// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "benchmarks/cuda/device.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"

namespace muster::healthcheck {
namespace {

namespace cuda = benchmarks::cuda;
using results::Quantity;
using results::Unit;

std::vector<cuda::Device> found_devices() {
  try {
    return cuda::devices();
  } catch (const cuda::NoDevice& nothing) {
    throw Skip(nothing.what());
  }
}

void add_device(Context& context, const cuda::Device& device) {
  const results::Labels labels = {{"gpu", std::to_string(device.index)}};
  context.add("gpu_devices.name", device.name, labels);
  context.add("gpu_devices.memory", Quantity{device.memory_bytes, Unit::byte}, labels);
  context.add("gpu_devices.compute_capability", device.compute_capability, labels);
  context.add("gpu_devices.pci_address", device.pci_address, labels);
  context.add("gpu_devices.multiprocessors", Quantity{static_cast<double>(device.multiprocessors), Unit::one}, labels);
}

class GpuDevices final : public Check {
 public:
  Description describe() const override {
    return {.name = "gpu_devices",
            .summary = "The GPUs that CUDA sees, and the versions of its driver and runtime",
            .tier = results::Tier::preflight,
            .typical_seconds = 1,
            .part = Part::nvidia_gpu};
  }

  void run(Context& context) override {
    context.phase("asking CUDA for its devices");
    const auto devices = found_devices();
    context.add("gpu_devices.driver_version", cuda::driver_version());
    context.add("gpu_devices.runtime_version", cuda::runtime_version());
    for (const auto& device : devices) add_device(context, device);
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<GpuDevices>(); }

}  // namespace muster::healthcheck
