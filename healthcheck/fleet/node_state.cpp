// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/fleet_report.hpp"
#include "results/strings/names.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

constexpr results::Names<5> coverages{"tested", "twice", "missing", "skipped", "unexpected"};

int badness(Status status) {
  return status == Status::skip ? 2 * static_cast<int>(Status::warn) + 1 : 2 * static_cast<int>(status);
}

}  // namespace

std::string_view to_text(Coverage coverage) { return results::name_of(coverages, coverage); }
std::optional<Coverage> coverage_from(std::string_view text) { return results::named<Coverage>(coverages, text); }

std::string_view state(const FleetNode& node) {
  const bool is_absent = node.coverage == Coverage::missing || node.coverage == Coverage::skipped;
  return is_absent ? to_text(node.coverage) : to_text(node.status);
}

int badness(const FleetNode& node) {
  if (node.coverage == Coverage::missing) return badness(Status::fail);
  return badness(node.coverage == Coverage::skipped ? Status::skip : node.status);
}

int badness(std::string_view state) {
  if (const auto coverage = coverage_from(state))
    return badness(*coverage == Coverage::skipped ? Status::skip : Status::fail);
  return badness(results::status_from(state).value_or(Status::unknown));
}

}  // namespace muster::healthcheck::fleet
