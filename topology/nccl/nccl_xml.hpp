// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/error.hpp"
#include "topology/machine/machine.hpp"
#include "topology/nccl/finding.hpp"

namespace muster::topology {

// A file larger than this is no topology file.
constexpr std::size_t largest_topology_file = std::size_t{16} << 20;

// A topology file of NCCL as XML, which is more than NCCL's own parser takes (see nccl_reads).
struct TopologyFile {
  Machine machine;
  // What NCCL does not know, and numbers that are none.
  Findings findings;
  // Where each device ("0009:00:00.0") and NUMA node ("numa 1") is mentioned, from 1.
  std::map<std::string, std::vector<int>, std::less<>> lines;

  // The first of them; 0 when there is none.
  int line(std::string_view device) const;
  // Of a device or NUMA node, with its first line.
  Finding finding(Severity severity, TopologyDefect wrong, const std::string& device, std::string what) const;
};

// Throws Error with line and column: no XML, truncated, larger than 16 MiB, a document type, no topology file.
TopologyFile read_topology(std::string_view text);

// The text of a topology file. Throws Error naming it when there is none, or one larger than 16 MiB.
std::string topology_text(const std::filesystem::path& file);

// What `read` makes of the text of a file; its Error gets the name of the file.
template <class Read>
auto of_topology_file(const std::filesystem::path& file, Read read) {
  const std::string text = topology_text(file);
  try {
    return read(std::string_view(text));
  } catch (const Error& error) {
    throw Error(file.string(), error.what());
  }
}

// Whether this is a graph file (NCCL_GRAPH_FILE). Throws Error when it is no XML.
bool is_graph(std::string_view text);

// A file that NCCL's own parser takes.
std::string to_nccl_xml(const Machine& machine);

}  // namespace muster::topology
