// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/uptime.hpp"

#include <charconv>
#include <system_error>

namespace muster::topology {

// The first number of "350735.47 234388.90".
std::optional<double> uptime_seconds(const Sysfs& sysfs) {
  const auto text = sysfs.text("proc/uptime");
  double uptime = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), uptime).ec != std::errc())
    return std::nullopt;
  return uptime;
}

}  // namespace muster::topology
