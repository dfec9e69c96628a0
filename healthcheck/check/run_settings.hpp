// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/values/report.hpp"

namespace muster::healthcheck {

// What every check is told by options: healthcheck/run/options.cpp has a row for each.
struct RunSettings {
  results::Tier tier = results::Tier::quick;
  std::optional<std::filesystem::path> topology;  // the file of NCCL's own settings when not given
  std::optional<std::filesystem::path> scratch;   // the system's temporary folder when not given
  std::optional<std::filesystem::path> state;     // where runs leave what the next one compares with
  bool allow_raw_read = false;                    // of whole drives with other people's data
  std::vector<std::string> record = {};           // names of variables that the report holds, too

  bool operator==(const RunSettings&) const = default;
};

}  // namespace muster::healthcheck
