// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <re2/re2.h>
#include <re2/set.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "results/report.hpp"

namespace muster::healthcheck {

// One row of the catalogue: what the kernel says of a fault.
struct KernelFault {
  std::string pattern;     // of RE2; its named groups are labels of what is at fault
  std::string meaning;     // "XID 79: GPU has fallen off the bus"
  std::string fault;       // a code of the table of faults; empty: nothing is wrong
  bool is_common = false;  // happens on healthy machines too: how often in an hour is what counts
};

// healthcheck/kernel_messages.json: groups of rows whose patterns begin alike. Throws UsageError naming file, line and
// field.
std::vector<KernelFault> read_kernel_faults(const std::filesystem::path& file);

// All patterns at once, in time linear in the text.
class Catalogue {
 public:
  struct Hit {
    const KernelFault* row;
    results::Labels labels;  // the named groups that matched
  };

  // Throws UsageError naming the pattern that is no regular expression.
  explicit Catalogue(std::vector<KernelFault> rows);

  const std::vector<KernelFault>& rows() const { return rows_; }
  // The first row whose pattern is found in the text; nothing where none is. Threads may share it.
  std::optional<Hit> find(std::string_view text) const;

 private:
  std::vector<KernelFault> rows_;
  RE2::Set all_;
  std::vector<std::unique_ptr<RE2>> each_;
};

}  // namespace muster::healthcheck
