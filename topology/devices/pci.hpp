// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

struct PciDevice {
  std::string address;          // "0001:00:00.0"
  std::int64_t class_code = 0;  // 0x030200: base class, subclass, interface
  std::int64_t vendor = 0;
  std::int64_t device = 0;
  std::optional<int> numa_node;  // none when the machine does not tell (-1)
};

// By address. Throws Error when a file of one of them is no number.
std::vector<PciDevice> pci_devices(const Sysfs& sysfs);

// Display and 3D controllers (class 0x0300, 0x0302) of NVIDIA, by address; one that lost its identity (vendor 0xffff)
// too.
std::vector<PciDevice> nvidia_gpus(const Sysfs& sysfs);

bool is_nvidia_gpu(const PciDevice& device);

// False when the device fell off the bus: its configuration space, or its vendor, reads all ones.
bool answers(const Sysfs& sysfs, const PciDevice& device);

// "10de:2330"
std::string id(const PciDevice& device);

}  // namespace muster::topology
