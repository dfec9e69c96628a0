// SPDX-License-Identifier: Apache-2.0
#include "topology/mounts.hpp"

#include <algorithm>

#include "topology/error.hpp"
#include "topology/scan.hpp"

namespace muster::topology {

std::vector<Mount> mounts(std::string_view mountinfo) {
  std::vector<Mount> found;
  for (const auto line : lines(mountinfo)) {
    const auto field = words(line);
    const auto dash = std::ranges::find(field, "-");  // after it: type, source, options
    if (dash - field.begin() < 6 || field.end() - dash < 4)
      throw Error("'" + std::string(line) + "' is not a line of mountinfo");
    found.push_back({.root = std::string(field[3]),
                     .point = std::string(field[4]),
                     .type = std::string(dash[1]),
                     .options = std::string(dash[3])});
  }
  return found;
}

}  // namespace muster::topology
