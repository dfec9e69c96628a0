// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "topology/machine/discover.hpp"
#include "topology/machine/fingerprint.hpp"
#include "topology/machine/nccl_configuration.hpp"

namespace muster::healthcheck {

// This machine; where its kernel hides the switches, with those of the shipped topology file that has the same devices,
// and that file's name.
topology::Discovery find_machine(const topology::Sysfs& sysfs);

// The topology file of a run: the one that was given, else the one that NCCL would read.
std::optional<topology::NcclFile> topology_file(const topology::Sysfs& sysfs,
                                                const std::optional<std::filesystem::path>& given);

// The graph file that NCCL would read.
std::optional<topology::NcclFile> graph_file(const topology::Sysfs& sysfs);

// "; etc/nccl.conf: 'NCCL_TOPO_FILE = /x.xml' sets nothing: ...", where a line of NCCL's settings has no effect; else
// empty.
std::string ineffective_setting(const topology::Sysfs& sysfs);

// What every report says of that file: topology_file, topology_sha256 and topology_verdict, which is "fits", the codes
// of its errors, or why it cannot be read. Empty without a file.
topology::Fingerprint topology_record(const topology::Sysfs& sysfs, const std::optional<std::filesystem::path>& given);

}  // namespace muster::healthcheck
