// SPDX-License-Identifier: Apache-2.0
#include "results/values/verdict.hpp"

#include <algorithm>

#include "results/strings/names.hpp"

namespace muster::results {
namespace {

constexpr Names<5> status_names = {"skip", "pass", "warn", "unknown", "fail"};

}  // namespace

std::string_view to_text(Status status) { return name_of(status_names, status); }

std::optional<Status> status_from(std::string_view text) { return named<Status>(status_names, text); }

bool is_good(Status status) { return status == Status::pass || status == Status::warn; }

int exit_code(Status status) {
  switch (status) {
    case Status::pass:
    case Status::warn:
      return 0;
    case Status::fail:
      return 1;
    case Status::unknown:
    case Status::skip:
      return 3;
  }
  return 3;
}

Status worst(std::span<const Verdict> verdicts) {
  Status status = Status::skip;
  for (const Verdict& verdict : verdicts) status = std::max(status, verdict.status);
  return status;
}

}  // namespace muster::results
