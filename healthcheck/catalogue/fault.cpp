// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/fault.hpp"

#include <algorithm>

namespace muster::healthcheck {

const Fault* Faults::find(std::string_view code) const {
  const auto found = std::ranges::find(faults_, code, &Fault::code);
  return found == faults_.end() ? nullptr : &*found;
}

}  // namespace muster::healthcheck
