// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// A slot for memory: SMBIOS 3.7 §7.18, structure type 17.
struct MemoryDevice {
  std::string locator;       // "DIMM_A1"
  std::string bank_locator;  // "P0 CHANNEL A"
  bool populated = false;
  std::optional<double> transfers_per_second;  // as configured
  std::optional<int> data_width_bits;          // without error correction
};

// From an SMBIOS table, sys/firmware/dmi/tables/DMI. Throws Error when a structure runs beyond the table's end.
std::vector<MemoryDevice> memory_devices(std::string_view table);

struct BandwidthLimit {
  double bytes_per_second = 0;
  std::string source;  // "DMI: 16 channels of 4800 MT/s, 8 B wide"
};

// Sum over populated channels of speed times width. Nothing when a populated slot does not tell its speed, width or
// channel, or when the channels it tells have more than 3 slots each, which no memory controller has.
std::optional<BandwidthLimit> memory_bandwidth_limit(std::span<const MemoryDevice> devices);

// Of this machine; nothing where the table is absent, is not ours to read (root only), or tells too little (most VMs).
std::optional<BandwidthLimit> memory_bandwidth_limit(const Sysfs& sysfs);

}  // namespace muster::topology
