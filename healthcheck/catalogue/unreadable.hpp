// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "results/values/measurement.hpp"

namespace muster::healthcheck {

// CHECK.unreadable_file, by path and component: what is wrong with a file of the kernel that the check wanted.
inline constexpr std::string_view unreadable_file = "unreadable_file";
inline constexpr std::string_view unreadable_file_fault = "kernel_file_unreadable";

inline bool is_of_unreadable_file(const results::Measurement& fact) {
  return results::subject_of(fact.metric) == unreadable_file;
}

}  // namespace muster::healthcheck
