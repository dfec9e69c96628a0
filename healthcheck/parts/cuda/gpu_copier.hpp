// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "benchmarks/cuda/copy_ends.hpp"
#include "benchmarks/host/binding.hpp"
#include "healthcheck/check/gpu_choice.hpp"
#include "healthcheck/parts/nvml/nvml_probe.hpp"
#include "healthcheck/parts/nvml/pcie_under_load.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

// A GPU that takes part in copies, with its memory and that of the host beside it, which send random words.
class GpuCopier {
 public:
  struct Place {
    benchmarks::host::Sides sides;  // CPUs beside it and on another socket
    std::size_t bytes = 0;          // of each copy
    std::uint64_t seed = 0;
  };

  // Throws benchmarks::Error where CUDA does not give it. The thread should be bound to the CPU beside it.
  GpuCopier(SelectedGpu gpu, const Place& place, const topology::Sysfs& sysfs);
  ~GpuCopier() = default;
  GpuCopier(const GpuCopier&) = delete;
  GpuCopier& operator=(const GpuCopier&) = delete;

  const SelectedGpu& chosen() const { return chosen_; }
  const Place& place() const { return place_; }
  const benchmarks::cuda::DeviceEnd& memory() const { return memory_; }
  const benchmarks::cuda::HostEnd& host() const { return host_; }
  PcieUnderLoad& links() { return links_; }
  const PcieUnderLoad& links() const { return links_; }
  // Of its link to the host, and of those that it has to another; nothing where they are not known.
  const std::optional<results::Limit>& pcie() const { return pcie_; }
  std::optional<results::Limit> nvlinks_to(const GpuCopier& partner) const;

  // So many in a row that starting them takes little of the time; of the host beside it unless told.
  benchmarks::cuda::Copy in() const { return in(host_, benchmarks::cuda::CopyEngine::engine); }
  benchmarks::cuda::Copy out() const { return out(host_, benchmarks::cuda::CopyEngine::engine); }
  benchmarks::cuda::Copy in(const benchmarks::cuda::HostEnd& host, benchmarks::cuda::CopyEngine mover) const;
  benchmarks::cuda::Copy out(const benchmarks::cuda::HostEnd& host, benchmarks::cuda::CopyEngine mover) const;
  benchmarks::cuda::Copy to(const GpuCopier& partner) const;

  // Forgets what arrived from and at memory of the host, and looks at it; or at what arrived at a partner. All throw
  // benchmarks::Error.
  void clear(const benchmarks::cuda::HostEnd& host) const;
  void look(const benchmarks::cuda::HostEnd& host);
  void look(const GpuCopier& partner);
  // Words that arrived wrong, by direction.
  const std::map<std::string, std::uint64_t>& wrong() const { return wrong_; }

  static constexpr auto to_device = "host_to_device";
  static constexpr auto to_host = "device_to_host";
  static constexpr auto to_peer = "peer_to_peer";

  std::optional<std::string> trouble;  // what CUDA said when it did not go on

 private:
  SelectedGpu chosen_;
  Place place_;
  NvmlProbe asked_;
  PcieUnderLoad links_;
  int device_;
  std::optional<results::Limit> pcie_;
  std::optional<results::Limit> nvlinks_;
  benchmarks::cuda::DeviceEnd memory_;
  benchmarks::cuda::HostEnd host_;
  std::map<std::string, std::uint64_t> wrong_;
};

}  // namespace muster::healthcheck
