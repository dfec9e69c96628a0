// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

struct NvmeDrive {
  std::string name;  // of the controller: "nvme0"
  std::string pci;   // address of its device
  std::string model;
  std::string firmware;
  std::string serial;
  std::string state;      // "live"
  std::string subsystem;  // its NVMe qualified name; that of all controllers of one drive

  bool operator==(const NvmeDrive&) const = default;
};

// Controllers inside this machine by name; those reached over a network (NVMe over fabrics) are left out.
std::vector<NvmeDrive> nvme_drives(const Sysfs& sysfs);

// One that is reached over a network.
struct FabricsController {
  std::string name;
  std::string transport;  // "tcp"
  std::string address;    // "traddr=192.0.2.9,trsvcid=4420"
  std::string state;
};

// By name.
std::vector<FabricsController> fabrics_controllers(const Sysfs& sysfs);

// The block devices that a controller leads to: "nvme0n1".
std::vector<std::string> namespaces(const Sysfs& sysfs, const NvmeDrive& drive);

// What the block devices of one namespace have in common, and no others: its subsystem, and its number there. Without
// multipath of NVMe there is one of them for each controller that leads to it.
std::string identity(const NvmeDrive& drive, std::string_view device);

// How many namespaces these controllers lead to, each once.
std::size_t count_of_drives(const Sysfs& sysfs, const std::vector<NvmeDrive>& controllers);

// Of the controllers of each subsystem one: the first that leads to a namespace, else the first.
std::vector<NvmeDrive> one_of_each_subsystem(const Sysfs& sysfs, const std::vector<NvmeDrive>& controllers);

// The device without which of several paths to it this is: "nvme0c1n1" -> "nvme0n1".
std::string without_path(std::string name);

// Which of these a block device is, or is a partition of.
std::optional<NvmeDrive> drive_of(const Sysfs& sysfs, const std::vector<NvmeDrive>& drives, std::string_view device);

// In °C, as the kernel asks the drive for it (hwmon); nothing where it does not. Throws Error naming a damaged file.
std::optional<double> temperature(const Sysfs& sysfs, const NvmeDrive& drive);

}  // namespace muster::topology
