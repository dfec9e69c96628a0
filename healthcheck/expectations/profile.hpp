// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "results/values/report.hpp"
#include "topology/machine/machine_summary.hpp"

namespace muster::healthcheck {

class Document;

enum class BoundKind { at_least, at_most, equals, within, one_of, efficiency, peers, majority, no_change };

std::string_view to_text(BoundKind kind);
std::optional<BoundKind> bound_kind_from(std::string_view text);

// The part of an expectation that decides. Which fields count depends on the kind:
// at_least, at_most, efficiency (a share of the physical limit): pass and fail thresholds; between them is warn.
// within: pass and fail intervals, the second around the first. equals, one_of: values, numbers or texts.
// no_change: the counter may grow by at most `pass` (0 unless given), and fails above `fail` (`pass` unless given); in
// Hz these are how fast it may grow. peers: against the median of at least 4 others. majority: equals the mode of at
// least 3, or of `values`, which are good, one that any of them has.
struct Bound {
  BoundKind kind = BoundKind::equals;
  results::Unit unit = results::Unit::one;
  double pass = 0;
  double fail = 0;
  results::Interval pass_range;
  results::Interval fail_range;
  std::vector<results::Value> values;

  bool operator==(const Bound&) const = default;
};

struct Expectation {
  std::string check;  // empty: about the evidence of every check
  std::string metric;
  results::Labels labels;  // a filter: each named label must be equal, or, for "2+", a number from 2 on
  Bound bound;
  results::Tier tier = results::Tier::quick;  // in force from this tier on
  std::optional<results::Status> severity;    // the worst of a violation: fail, unknown or warn; unset: its fault's
  std::optional<double> noise;                // healthy relative spread
  std::optional<Better> better{};             // of peers and of a majority, as the table of metrics says
  std::optional<std::size_t> count;           // how many measurements must match; at least 1 when not given
  bool optional = false;                      // a machine that does not have it is not at fault: skip
  std::string fault;                          // the code of a violation; empty: what `fault_label` of the fact says
  std::string fault_label;                    // "code"
  std::string action;                         // overrides the action of the fault
  std::string source;
  std::string date;

  bool operator==(const Expectation&) const = default;
};

// Which machines a profile is for; only the given ones count.
struct Match {
  std::optional<std::string> gpu_id;  // "10de:2330"
  std::optional<std::size_t> gpu_count;
  std::optional<std::size_t> nic_count;
  std::optional<double> nic_rate_bits_per_second;
  std::optional<std::size_t> cpu_count;
  std::optional<std::size_t> numa_count;
  std::optional<std::size_t> drive_count;
  std::optional<double> memory_bytes;  // within a tenth
};

struct Profile {
  std::string name;
  std::string description;
  std::string sha256;  // of the file and of those it extends
  Match match;
  std::vector<std::string> scratch_mounts;  // where the scratch disks of such a machine are mounted, if they are
  std::vector<Expectation> expectations;
  std::map<std::string, std::string, std::less<>> information;  // check -> why nothing is expected of it
};

// Reads a profile and those it extends, which are beside it or among the shipped ones. An expectation with the same
// check, metric, labels and kind of bound replaces the inherited one. Throws UsageError naming file, line and field.
Profile read_profile(const std::filesystem::path& file);
Profile read_profile(const Document& document);

// Only which machines it is for, which no profile inherits. Throws UsageError as read_profile() does, of what it looks
// at.
Match read_match(const std::filesystem::path& file);

// The profile as a file that read_profile() accepts.
std::string to_json(const Profile& profile, std::string_view extends);

// Throws UsageError naming the first fault code of the profile that the table does not have. Codes that labels of facts
// say are those of the checks.
void validate(const Profile& profile, const Faults& faults);

// What all of these expect; the name says which they are: "nd96isr_h100_v5+nd96isr_h200_v5".
Profile common(std::vector<Profile> profiles);

struct Choice {
  std::vector<std::filesystem::path> files;  // several where nothing tells which of them the machine is of
  std::string chosen_by;
  std::string doubt;  // why the machine may be judged by less than it should be; empty where it is not

  // Each file as `read_file` reads it, and what all of them expect.
  Profile read(const std::function<Profile(const std::filesystem::path&)>& read_file) const;
  // What chooses the same again.
  std::string wanted() const;
  // "nd96isr_h100_v5", or several with '+' between them.
  std::string names() const;
};

// `wanted` is "auto", a file, or names in `folder` with '+' between them. With "auto": the profile whose rules all
// hold, most rules first; else the nearest, of what the machine still has, for what broke must not choose what is
// expected; else generic. Throws UsageError when there is no such profile, suggesting the nearest name.
Choice choose_profile(std::string_view wanted, const std::filesystem::path& folder,
                      const topology::MachineSummary& machine);

}  // namespace muster::healthcheck
