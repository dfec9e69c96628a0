// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// Components of which a machine has several alike, so that one tells what another lacks.
enum class Kin {
  adapter,            // RDMA devices
  port,               // of these
  interface,          // network interfaces of these
  drive,              // NVMe controllers
  name_space,         // of these
  gpu,                // NVIDIA's
  function,           // PCI functions of GPUs, adapters and drives
  cpu,                // those that are online
  numa,               // nodes
  memory_controller,  // that EDAC watches
};

// A file of the kernel that one component lacks, or that is other there than at its siblings.
struct OddFile {
  std::string path;     // of the file; of its folder where several files of it are absent
  std::string problem;  // "is absent, while 7 of 8 ports have it"
};

// Compared are components of the same model. A file that at least half of them have is one that the others lack; a text
// that more than half have, where all should have the same, is the right one. One without such siblings is compared
// with the other components whose files the same driver, or the kernel, makes.
std::vector<OddFile> odd_files(const Sysfs& sysfs, Kin kin);

}  // namespace muster::topology
