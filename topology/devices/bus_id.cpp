// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/bus_id.hpp"

#include <algorithm>
#include <cctype>

namespace muster::topology {

bool is_bus_id(std::string_view text) {
  constexpr std::string_view shape = "xxxx:xx:xx.x";
  // A domain may have more digits than four.
  const auto extra = text.find(':');
  if (extra == std::string_view::npos || extra < 4 || extra > 8 || text.size() != shape.size() + extra - 4)
    return false;
  text.remove_prefix(extra - 4);
  return std::ranges::equal(text, shape, [](char letter, char wanted) {
    return wanted == 'x' ? std::string_view("0123456789abcdef").find(letter) != std::string_view::npos
                         : letter == wanted;
  });
}

std::string lower_case(std::string_view address) {
  std::string lower(address);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower;
}

}  // namespace muster::topology
