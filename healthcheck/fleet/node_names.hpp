// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

namespace muster::healthcheck::fleet {

// Names of machines, of which those that differ by the case of letters alone are of one (RFC 4343).
class Spellings {
 public:
  // The name's first spelling, which this is where there was none.
  const std::string& first_of(const std::string& name);

 private:
  std::map<std::string, std::string> by_name_;
};

// Names that reports give their hosts, by those that are expected and mean the same: another case, as Kubernetes gives
// a node of Azure, or with and without its domain. Only where no other name could be meant.
std::map<std::string, std::string> other_names(const std::set<std::string>& expected,
                                               const std::set<std::string>& reported);

}  // namespace muster::healthcheck::fleet
