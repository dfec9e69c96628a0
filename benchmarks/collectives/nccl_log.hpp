// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace muster::benchmarks {

// What NCCL says that it connected and read: of NCCL_DEBUG=INFO with the subsystems INIT, NET, GRAPH and ENV; the logs
// of several ranks may follow each other. Empty where it said nothing of it. Source: NVIDIA/nccl 2.21 to 2.30, src/.
struct NcclLog {
  std::string network;                  // "IB", "Socket", or what a plug-in calls itself
  std::set<std::string> transports;     // "NET/IB", "COLLNET/SHARP", "P2P", "SHM"
  std::size_t network_channels = 0;     // over any network,
  std::size_t direct_channels = 0;      // and those of them that read and write GPU memory (GPUDirect RDMA)
  std::size_t topology_files_read = 0;  // by so many ranks
  std::string topology_file_problem;    // why one could not be opened, in NCCL's words
  bool nvls_available = false;          // multicast by NVSwitch, on any rank
  bool nvls_told = false;               // whether it was said at all

  bool operator==(const NcclLog&) const = default;
};

NcclLog read_nccl_log(std::string_view text);

// The lines that read_nccl_log understands.
std::string telling_lines(std::string_view text);

}  // namespace muster::benchmarks
