// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/uptime.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

double first_of(std::string_view text) {
  const auto parts = words(text);
  const auto word = parts.empty() ? std::string_view() : parts.front();
  const auto* end = word.data() + word.size();
  double uptime = 0;
  const auto read = std::from_chars(word.data(), end, uptime);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(uptime) || uptime < 0)
    throw Error(fmt::format("'{}' does not begin with seconds such as 350735.47", trimmed(text)));
  return uptime;
}

}  // namespace

std::optional<double> uptime_seconds(const Sysfs& sysfs) { return parsed(sysfs, "proc/uptime", first_of); }

}  // namespace muster::topology
