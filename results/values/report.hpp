// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/values/measurement.hpp"
#include "results/values/verdict.hpp"

namespace muster::results {

enum class Tier { preflight, quick, full };

std::string_view to_text(Tier tier);
std::optional<Tier> tier_from(std::string_view text);

// How a run of a check ended, whatever it measured.
enum class Outcome {
  pending,  // not started yet; what a report says before the first check
  running,
  finished,
  skipped,    // ran and found nothing to measure
  not_built,  // a profile expects it, this build does not have it
  error,      // a call that should work did not
  crashed,
  timed_out,
  not_started,  // no such executable, wrong format, missing library
  out_of_budget,
  interrupted,
  in_use,  // the machine was busy with other work
};

std::string_view to_text(Outcome outcome);
std::optional<Outcome> outcome_from(std::string_view text);

// Values of labels to which the options of a check limit it: operation -> write, send; nic -> mlx5_ib3. A label that no
// option limits is not there; one without values is that of nothing that the check measures.
using Selected = std::map<std::string, std::vector<std::string>, std::less<>>;

// A counter read before and after a check.
struct Delta {
  std::string metric;  // "pcie_aer.fatal"
  Labels labels;
  double before = 0;
  double after = 0;

  bool operator==(const Delta&) const = default;
};

// One run of one check on one host, or on several as a job: its facts, and what the judge made of them.
struct CheckRun {
  std::string check;
  std::string host;                // of a job, that of rank 0
  std::vector<std::string> hosts;  // of a job of several hosts, all of them; else empty
  Labels component;                // the GPU, NIC or drive of a check that runs once for each
  Selected selected;               // what else is not in force
  int attempt = 1;                 // 2 is the second look that a `peers` verdict needs
  Outcome outcome = Outcome::pending;
  std::string reason;                // why it skipped, crashed, timed out ..., empty when it finished
  std::string phase;                 // what it was doing last
  std::string kernel_function = {};  // where it hung in the kernel; empty where it only waited, or ended otherwise
  std::string started;               // RFC 3339 UTC, empty when it never started
  double duration_seconds = 0;
  std::vector<Measurement> measurements;
  std::vector<Delta> evidence;
  Status status = Status::unknown;
  std::string information;  // why the profile expects nothing of it; empty when it does
  std::vector<Verdict> verdicts;

  bool operator==(const CheckRun&) const = default;
};

// Whether there is no result yet.
bool is_open(const CheckRun& run);

// Whether the run came to its end, even if it measured nothing.
bool ended_well(const CheckRun& run);

struct Host {
  std::string name;
  std::map<std::string, std::string, std::less<>> fingerprint;

  bool operator==(const Host&) const = default;
};

struct ProfileReference {
  std::string name;
  std::string sha256;     // of the profile and of those it extends
  std::string chosen_by;  // "--profile", "match: gpu_id 10de:2330, gpu_count 8", "no profile matches this machine"
  std::string doubt;      // why another one may be right; empty where there is no doubt

  bool operator==(const ProfileReference&) const = default;
};

// What was asked for; it decides which expectations are in force, so that a report can be judged again.
struct Selection {
  Tier tier = Tier::quick;
  std::vector<std::string> only;
  std::vector<std::string> skip;

  bool selects(std::string_view check) const;
  bool operator==(const Selection&) const = default;
};

struct Report {
  std::string version;  // of muster
  std::string run_id;
  std::string started;
  double duration_seconds = 0;
  ProfileReference profile;
  Selection selection;
  std::map<std::string, std::string, std::less<>> environment;  // allow-listed variables only
  std::vector<Host> hosts;
  std::vector<CheckRun> checks;
  Status status = Status::unknown;
  std::string summary = "did not finish";

  bool operator==(const Report&) const = default;
};

// The worst of its checks; unknown where none was judged.
Status status_of_checks(const Report& report);

// Where it ran: its host, the hosts of a small job, or how many there are of a large one: "h1 h2", "64 hosts".
std::string place(const CheckRun& run);

// Whether a fact of the run has this label of the run: its component, or its host.
bool is_of_run(const CheckRun& run, const Labels::value_type& label);

// Concatenates hosts (once each by name, with the fingerprints of both) and checks of the second into the first.
void merge(Report& into, Report from);

// The variables a report may record: NCCL_*, OMPI_*, UCX_*, CUDA_VISIBLE_DEVICES ...; never wholesale.
std::map<std::string, std::string, std::less<>> recorded_environment(const char* const* environment);

// Now, "2026-11-21T02:50:10.123Z".
std::string utc_now();
std::string utc(std::chrono::system_clock::time_point time);

// RFC 3339 UTC, with a fraction of a second of up to 9 digits or none: the times that a report may hold.
bool is_time(std::string_view text);

// The instant of such a text, to the second; nothing when it is none.
std::optional<std::chrono::sys_seconds> time_from(std::string_view text);

}  // namespace muster::results
