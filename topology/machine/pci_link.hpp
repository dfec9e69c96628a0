// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topology/kernel/sysfs.hpp"
#include "topology/machine/machine.hpp"

namespace muster::topology {

// GT/s of a lane as NCCL's own table reads it; nothing when the text is not in it, and NCCL takes 8 GT/s.
std::optional<double> nccl_speed(std::string_view text);

// GT/s of all lanes, as NCCL plans with; nothing when the speed is not known to it. No width, or 0, is 16 lanes.
std::optional<double> total_speed(const PciLink& link);

// What it carries in one direction, in B/s, with all that stands around data; nothing where speed or width is not
// known. Source: PCI Express base specification: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s, 242 of 256 bytes of a
// flit.
std::optional<double> bytes_per_second(const PciLink& link);

// "32 GT/s x16", with '?' for what is unknown.
std::string to_text(const PciLink& link);

// What the link of a device runs at now, and the most that the device and the port above it can; each empty where the
// kernel does not tell, as in most virtual machines.
PciLink link_now(const Sysfs& sysfs, const std::string& folder);
PciLink link_at_most(const Sysfs& sysfs, const std::string& folder);

}  // namespace muster::topology
