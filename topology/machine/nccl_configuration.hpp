// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// The variables by which a job tells NCCL where its settings are; nothing for one that is not set.
struct NcclVariables {
  std::optional<std::string> topology;       // NCCL_TOPO_FILE
  std::optional<std::string> graph = {};     // NCCL_GRAPH_FILE
  std::optional<std::string> configuration;  // NCCL_CONF_FILE
  std::optional<std::string> home;           // HOME
};

// A file that NCCL would read on this machine, and who says so.
struct NcclFile {
  std::filesystem::path path;        // inside the root
  std::string told_by;               // "NCCL_TOPO_FILE", "etc/nccl.conf" ...
  bool has_carriage_return = false;  // behind the path, which is a part of it for NCCL up to 2.29, and left out here
};

// The topology file. By NCCL's own order and rules (src/misc/param.cc): the variable; the file that NCCL_CONF_FILE
// names, else .nccl.conf in the home folder; etc/nccl.conf; nvidia-topologyd. The first one that sets NCCL_TOPO_FILE
// wins; an empty value means no file at all. Whether the file exists is another question; NCCL goes on without it.
std::optional<NcclFile> topology_in_use(const Sysfs& sysfs, const NcclVariables& variables);

// The graph file, by the same rules (NCCL_GRAPH_FILE, and no topologyd). NCCL ends where it cannot read it.
std::optional<NcclFile> graph_in_use(const Sysfs& sysfs, const NcclVariables& variables);

// A line of these files that is meant to set NCCL_TOPO_FILE and sets nothing, since NCCL trims no blanks and knows no
// `export`: "etc/nccl.conf: 'NCCL_TOPO_FILE = /x.xml'". Empty where there is none.
std::string ineffective_line(const Sysfs& sysfs, const NcclVariables& variables);

}  // namespace muster::topology
