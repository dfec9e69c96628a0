// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::cuda {

// There is no driver or no device to ask; the message is CUDA's own.
class NoDevice : public Error {
 public:
  using Error::Error;
};

struct Device {
  int index = 0;
  std::string name;
  double memory_bytes = 0;
  std::string compute_capability;  // "9.0"
  std::string pci_address;         // as the kernel spells it: "0001:00:00.0"
  int multiprocessors = 0;
};

// The devices CUDA sees, which CUDA_VISIBLE_DEVICES can hide. Both throw NoDevice, or Error naming the call that
// failed.
int device_count();
std::vector<Device> devices();

// One of them. Throws Error.
Device described(int index);

// The index of the one at a PCI address. Throws Error where CUDA does not show it.
int device_at(const std::string& pci_address);

// Whether it reaches the host's memory by its page tables, over a link of its own and not over PCIe. Throws Error.
bool shares_page_tables(int device);

// The newest CUDA the driver supports, and the CUDA this program was built with: "13.0". Both throw Error.
std::string driver_version();
std::string runtime_version();

}  // namespace muster::benchmarks::cuda
