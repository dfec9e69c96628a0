// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string_view>

namespace muster::tests {

inline std::string_view value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// Whether MUSTER_FAULT is this one.
inline bool is_injected(std::string_view fault) { return value_of("MUSTER_FAULT") == fault; }

// And is meant for this device: that of MUSTER_FAULT_DEVICE, or any.
inline bool is_injected(std::string_view fault, std::string_view device) {
  const auto meant = value_of("MUSTER_FAULT_DEVICE");
  return is_injected(fault) && (meant.empty() || meant == device);
}

}  // namespace muster::tests
