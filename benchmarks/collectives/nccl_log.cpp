// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/nccl_log.hpp"

#include <algorithm>
#include <array>
#include <ranges>

namespace muster::benchmarks {
namespace {

constexpr std::string_view mark = " NCCL INFO ";
constexpr std::string_view channel = "Channel ";
constexpr std::string_view in_network = "CollNet ";  // where switches of the network reduce
constexpr std::string_view by = " via ";
constexpr std::string_view network = "Using network ";
constexpr std::string_view file_read = "Loading topology file ";
constexpr std::string_view file_problem = "Could not open XML topology file ";
constexpr std::string_view nvls = "NVLS multicast support is ";
constexpr std::array telling{channel, in_network, network, file_read, file_problem, nvls};

// What a line says, without where and who; nothing of other lines.
std::string_view said(std::string_view line) {
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return {};
  const auto words = line.substr(at + mark.size());
  return std::ranges::any_of(telling, [&](auto start) { return words.starts_with(start); }) ? words
                                                                                            : std::string_view{};
}

template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  for (const auto line : std::views::split(text, '\n')) use(std::string_view(line.begin(), line.end()));
}

// "Channel 00/0 : 1[1] -> 8[0] [send] via NET/IB/2/GDRDMA", "... via P2P/CUMEM/read", "... via SHM/direct/direct",
// "CollNet 00/0 : 0 [send] via COLLNET/SHARP/0/GDRDMA(PCI)".
void add_channel(NcclLog& log, std::string_view path) {
  const auto kind = path.substr(0, path.find_first_of("/ "));
  if (kind != "NET" && kind != "COLLNET") {
    log.transports.emplace(kind);
    return;
  }
  log.transports.emplace(path.substr(0, path.find('/', kind.size() + 1)));
  ++log.network_channels;
  if (path.find("/GDRDMA") != std::string_view::npos) ++log.direct_channels;
}

}  // namespace

NcclLog read_nccl_log(std::string_view text) {
  NcclLog log;
  for_each_line(text, [&](std::string_view line) {
    const auto words = said(line);
    const auto rest = [&](std::string_view start) { return std::string(words.substr(start.size())); };
    if (words.starts_with(channel) || words.starts_with(in_network)) {
      if (const auto at = words.find(by); at != std::string_view::npos) add_channel(log, words.substr(at + by.size()));
    } else if (words.starts_with(network)) {
      log.network = rest(network);
    } else if (words.starts_with(file_read)) {
      ++log.topology_files_read;
    } else if (words.starts_with(file_problem)) {
      log.topology_file_problem = rest(file_problem);
    } else if (words.starts_with(nvls)) {
      log.nvls_told = true;
      if (words.substr(nvls.size()).starts_with("available")) log.nvls_available = true;
    }
  });
  return log;
}

std::string telling_lines(std::string_view text) {
  std::string lines;
  for_each_line(text, [&](std::string_view line) {
    if (!said(line).empty()) lines += std::string(line) + "\n";
  });
  return lines;
}

}  // namespace muster::benchmarks
