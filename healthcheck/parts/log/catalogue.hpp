// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <re2/re2.h>
#include <re2/set.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// One row of the catalogue: what the kernel says of a fault, and what that means for others.
struct KernelFault {
  enum class End { documented, by_itself };

  std::string pattern;                      // of RE2, from ^ on; its named groups are labels of what is at fault
  std::string meaning;                      // "XID 79: GPU has fallen off the bus"
  std::string fault;                        // a code of the table of faults; empty: nothing is wrong
  double burst_seconds = default_burst;     // so near to the one before on the same component, it is the same incident
  bool is_unknown = false;                  // no fault that is known, but said as faults are
  bool can_point_to_device = false;         // an application's fault that a broken device causes, too
  bool is_by_application = false;           // a program can cause it by itself, so that it never fails a node
  bool is_harmless_at_start = false;        // before the component was told to work in that boot
  std::vector<std::string> where_differ{};  // two groups, no labels; where they are equal, nothing was said
  std::size_t flaps_from = 0;               // ended by itself so often within a day, it is as if it had not
  std::vector<std::string> consequence_of{};  // of these faults, where one began on the component shortly before
  bool is_of_any_component = false;           // which may be another's
  std::vector<std::string> ends{};            // these faults of the same component are over
  End end = End::documented;                  // how

  static constexpr double default_burst = 5;

  // Whether such a message changes nothing.
  bool is_harmless() const { return fault.empty() && ends.empty() && !is_unknown; }
};

// healthcheck/kernel_messages.json: groups of rows whose patterns begin alike. Throws UsageError naming file, line and
// field.
std::vector<KernelFault> read_kernel_faults(const std::filesystem::path& file);

// The shipped rows behind those of one's own, which so add faults and take messages away. Throws UsageError as above,
// and where a row's fault is none of the table.
std::vector<KernelFault> read_kernel_faults(const std::filesystem::path& shipped, const std::filesystem::path& own,
                                            const Faults& faults);

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
  const RE2& pattern(std::size_t number) const;

  std::vector<KernelFault> rows_;
  RE2::Set all_;
  mutable std::array<std::atomic<bool>, 256> is_likely_{};  // by a hash of how a message begins
  mutable std::mutex making_;
  mutable std::vector<std::unique_ptr<RE2>> each_;  // made when it is wanted
};

}  // namespace muster::healthcheck
