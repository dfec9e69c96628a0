// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "topology/machine/discover.hpp"
#include "topology/nccl/finding.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {

// By address in lower case.
using LocatedDevices = std::map<std::string, DeviceLocation, std::less<>>;
LocatedDevices by_address(const Machine& machine);

// The NUMA nodes of a topology file (wanted) beside those of this machine (found).
class NumaComparison {
 public:
  // The devices of both, by_address().
  NumaComparison(const TopologyFile& wanted, const Discovery& found, const LocatedDevices& in_file,
                 const LocatedDevices& here)
      : wanted_(wanted), found_(found), in_file_(in_file), here_(here) {}

  // Where they differ; a file that names no node (-1) says nothing of it.
  Findings run();

  // The NUMA node of this machine that has all devices, at least two, of this one of the file; else its namesake.
  Number meant(const NumaDomain& domain) const;

 private:
  void add(TopologyDefect wrong, const std::string& device, std::string what);
  const NumaDomain* here(const Number& number) const;
  bool exchanged();
  bool exchanged(const NumaDomain& one, const NumaDomain& other) const;
  void mask(const NumaDomain& wanted, const NumaDomain& same);
  void processor(const NumaDomain& wanted, const NumaDomain& same);

  const TopologyFile& wanted_;
  const Discovery& found_;
  const LocatedDevices& in_file_;
  const LocatedDevices& here_;
  Findings findings_;
};

}  // namespace muster::topology
