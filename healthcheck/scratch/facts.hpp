// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/scratch/contents.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck::scratch {

// What is asked for.
struct Wishes {
  std::string model = "Microsoft NVMe Direct Disk*";  // of the drives that may be taken, as fnmatch(3) has patterns
  std::optional<std::size_t> drives;                  // exactly so many, else any number
  std::filesystem::path mount_at;

  bool operator==(const Wishes&) const = default;
};

// An NVMe drive of this machine.
struct Drive {
  std::string name;    // of the block device: "nvme3n1"
  std::string number;  // "259:3"
  std::string model;
  std::string serial;
  std::uint64_t bytes = 0;
  std::string other_path;    // another block device that is the same namespace, by another controller
  bool is_of_model = false;  // of others nothing more is known, for they are not opened
  bool is_read_only = false;
  bool is_swap = false;
  std::vector<std::string> partitions;
  std::vector<std::string> holders;  // "dm-0"
  std::vector<std::string> mounts;   // where something of it is mounted
  bool is_claimed = false;           // the kernel gives it to nobody else; asked only of what looks empty
  Contents contents;

  bool operator==(const Drive&) const = default;
};

// An array of Linux's md that a drive of the model is in.
struct Array {
  std::string name;    // "md127"
  std::string number;  // "9:127"
  std::uint64_t bytes = 0;
  bool is_running = false;
  std::vector<std::string> mounts;
  Contents contents;  // not known of what is mounted

  bool operator==(const Array&) const = default;
};

struct Facts {
  std::vector<Drive> drives;
  std::vector<Array> arrays;
  std::string mounted;  // what is mounted at that place, empty where nothing is

  bool operator==(const Facts&) const = default;
};

// Mounts are those of the process 1. Reads drives of the model, and writes to none. Throws topology::Error naming a
// damaged or absent file of the kernel.
Facts facts_of(const topology::Sysfs& sysfs, const Wishes& wishes);

// Of a block device below the tree, which on the live machine must have the number that the kernel says.
results::Descriptor opened(const topology::Sysfs& sysfs, const std::string& name, int flags);

}  // namespace muster::healthcheck::scratch
