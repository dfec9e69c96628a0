// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/counter_delta.hpp"

#include <fmt/format.h>

#include "topology/evidence/evidence.hpp"

namespace muster::healthcheck {

std::optional<std::string> why_unknown(const results::Delta& delta) {
  if (delta.after < delta.before)
    return fmt::format("went down from {:.0f} to {:.0f}: reset or wrapped meanwhile", delta.before, delta.after);
  return std::nullopt;
}

std::optional<std::string> why_full(const results::Delta& delta) {
  if (delta.before != delta.after || !topology::saturated(delta.metric, delta.after)) return std::nullopt;
  return fmt::format("{} {:.0f}, and what it counts is not seen until it is cleared", full_counter, delta.after);
}

}  // namespace muster::healthcheck
