// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "results/values/measurement.hpp"

namespace muster::results {

// In rising order of badness, so that the worst status is the greatest.
enum class Status { skip, pass, warn, unknown, fail };

std::string_view to_text(Status status);
std::optional<Status> status_from(std::string_view text);

// pass or warn: fit for duty.
bool is_good(Status status);

// 0 pass or warn, 1 fail, 3 unknown or nothing but skips.
int exit_code(Status status);

// One comparison of a fact with an expectation.
struct Verdict {
  Status status = Status::unknown;
  std::string metric;
  Labels labels;
  std::optional<Value> value;  // none when nothing was measured
  std::string expected;        // "at least 465 GB/s (fails below 440 GB/s)"
  std::string source;          // where that limit comes from, with its date
  std::string reason;          // one sentence that names the component and the gap
  std::string fault;           // stable fault code, empty for pass and skip
  std::string action;          // what to do, empty for pass and skip
  std::string azure_code;      // "NHC2005" where Azure's node health checks have one
  std::string azure_category;  // "IBPortFlapping"

  bool operator==(const Verdict&) const = default;
};

// skip for an empty list.
Status worst(std::span<const Verdict> verdicts);

}  // namespace muster::results
