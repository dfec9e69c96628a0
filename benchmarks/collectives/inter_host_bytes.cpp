// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/inter_host_bytes.hpp"

#include <algorithm>

namespace muster::benchmarks {
namespace {

// The share of S that must leave the host of some of the ranks.
double share(Operation operation, const std::string& host, const std::vector<std::string>& hosts) {
  const auto all = static_cast<double>(hosts.size());
  const auto own = static_cast<double>(std::ranges::count(hosts, host));
  if (own == all) return 0;
  switch (operation) {
    case Operation::allreduce:
      return 1;
    case Operation::all_gather:
      return own / all;
    case Operation::reduce_scatter:
      return (all - own) / all;
    case Operation::broadcast:
      return hosts.front() == host ? 1 : 0;
    case Operation::all_to_all:
      return own * (all - own) / all;
    case Operation::send_receive:
      break;
  }
  double leaving = 0;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank)
    if (hosts[rank] == host && hosts[(rank + 1) % hosts.size()] != host) ++leaving;
  return leaving;
}

}  // namespace

std::map<std::string, double> inter_host_bytes(const Collective& collective, std::size_t bytes,
                                               const std::vector<std::string>& hosts) {
  std::map<std::string, double> bytes_of_host;
  for (const auto& host : hosts)
    if (const double part = share(collective.operation, host, hosts); part > 0)
      bytes_of_host[host] = part * static_cast<double>(bytes);
  return bytes_of_host;
}

}  // namespace muster::benchmarks
