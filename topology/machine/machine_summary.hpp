// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "topology/kernel/sysfs.hpp"
#include "topology/machine/fingerprint.hpp"

namespace muster::topology {

// What tells one kind of machine from another: enough to choose a profile and to know which checks can run.
struct MachineSummary {
  std::size_t cpu_count = 0;            // online
  std::size_t numa_count = 0;           // nodes with CPUs or memory; 0 when the kernel has none
  std::size_t gpu_count = 0;            // PCI functions of class 0x0302 or 0x0300 by NVIDIA
  std::string gpu_id;                   // "10de:2330" of the first GPU; empty without one
  std::string gpu_model;                // "NVIDIA H100 80GB HBM3" where the driver says so
  std::size_t nic_count = 0;            // HCAs with an InfiniBand port
  double nic_rate_bits_per_second = 0;  // fastest InfiniBand port
  std::size_t drive_count = 0;          // NVMe drives, whatever number of controllers they have
  double memory_bytes = 0;              // MemTotal
  std::string gpu_driver;               // of the kernel, that is loaded: "nvidia" or "amdgpu"; empty without one
  std::string topology_file;            // that NCCL is told of by its configuration: "ndv5-topo.xml"; empty without one
  std::string system;                   // as SMBIOS names the machine: "p5.48xlarge"; empty where it does not
};

// What a damaged file would have told stays 0 or empty, so that a profile can be chosen on a damaged machine too.
MachineSummary machine_summary(const Sysfs& sysfs);

}  // namespace muster::topology
