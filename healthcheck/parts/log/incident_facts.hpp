// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "healthcheck/check/kernel_facts.hpp"
#include "healthcheck/parts/log/incidents.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

// Incidents as facts of a report, each with all names that its component has on this machine.
class IncidentFacts {
 public:
  // `now`: the end of the log.
  IncidentFacts(KernelFacts& facts, const topology::Sysfs& sysfs, const Incidents& incidents, const Moment& now);

  // Also, of each fault of the catalogue that nothing was said of, that it is 0.
  void add(const Catalogue& catalogue);

 private:
  results::Labels names(const Incidents::Key& key) const;
  void add_history(const Incidents::Key& key, const History& history);
  void add_quiet(const Catalogue& catalogue);
  void add_unknown();

  KernelFacts& facts_;
  topology::Sysfs sysfs_;
  std::map<std::string, std::string> gpus_;  // their indices by PCI address
  const Incidents& incidents_;
  Moment now_;
};

}  // namespace muster::healthcheck
