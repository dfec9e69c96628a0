// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// "535.161.08" from the text of /proc/driver/nvidia/version.
std::optional<std::string> nvidia_driver_version(std::string_view text);

// What the driver says of one GPU; empty where it does not.
struct NvidiaInformation {
  std::string model;  // "NVIDIA H100 80GB HBM3"
  std::string uuid;
  std::string video_bios;
};

NvidiaInformation nvidia_information(std::string_view text);

// Nothing when no driver is loaded or it does not know this PCI address.
std::optional<NvidiaInformation> nvidia_information(const Sysfs& sysfs, const std::string& address);

}  // namespace muster::topology
