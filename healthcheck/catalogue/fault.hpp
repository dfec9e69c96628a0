// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "results/values/verdict.hpp"

namespace muster::healthcheck {

// What `muster explain CODE` prints and what verdicts take their action from.
struct Fault {
  std::string code;  // stable: "ib_port_down"
  std::string meaning;
  std::string evidence;  // where to look for more
  std::string action;
  std::string
      action_where_waiting;  // of a run that only waited, in no function of a device; empty where it is the same
  std::string source;
  results::Status severity = results::Status::fail;  // of a violation where the expectation does not say
  std::string azure_code;                            // "NHC2004", empty where Azure has none
  std::string azure_category;                        // "IBPortDown"
  std::vector<std::string> commands = {};            // that show it; {gpu} is that label of the component
};

// The one table of fault codes, healthcheck/faults.json.
class Faults {
 public:
  // Throws UsageError naming file, line and field.
  explicit Faults(const std::filesystem::path& file);

  // Null when there is no such code.
  const Fault* find(std::string_view code) const;
  const std::vector<Fault>& all() const& { return faults_; }

 private:
  std::vector<Fault> faults_;
};

}  // namespace muster::healthcheck
