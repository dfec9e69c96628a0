// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "benchmarks/collectives/collective.hpp"
#include "benchmarks/collectives/nccl_route.hpp"
#include "healthcheck/check/context.hpp"

namespace muster::healthcheck {

// What NCCL really did, in metrics that begin with the name of the check. All ranks make the same calls.
class NcclFacts {
 public:
  // `gpu` is the PCI address of this rank's.
  NcclFacts(Context& context, std::string check, std::string gpu)
      : context_(context), check_(std::move(check)), gpu_(std::move(gpu)) {}

  // What NCCL chose for the calls of these labels: algorithm, protocol and channels, or that nobody saw it.
  void add_routes(const std::set<benchmarks::Route>& seen, const results::Labels& labels);
  // What it connected and read, by the logs of all ranks; this is this rank's. The transport depends on how far data
  // moved, which the labels say.
  void add_log(std::string_view own_log, const results::Labels& span);
  // GPUs of ranks that have another number of NVLinks than their siblings, where switches join them; or that there is
  // none. `dump` is the topology as NCCL saw it on this rank, which it calls `number`.
  void add_nvlinks(const std::filesystem::path& dump, int number);
  // Whether NVLinks reach all ranks, of whatever hosts. `dump` is the topology as NCCL saw it on rank 0.
  bool linked(const std::filesystem::path& dump) const;
  // The physical limit of a collective of all ranks that took these routes, in B/s of bus bandwidth: of an allreduce by
  // the GPUs' NVLinks where they reach all ranks, else between nodes by their InfiniBand ports, or by the PCIe links of
  // the GPUs that take part where those carry less.
  std::optional<results::Limit> limit(benchmarks::Operation operation, const std::set<benchmarks::Route>& seen,
                                      const std::filesystem::path& dump) const;

 private:
  std::string metric(std::string_view fact) const { return results::metric_name(check_, fact); }

  Context& context_;
  std::string check_;
  std::string gpu_;
};

}  // namespace muster::healthcheck
