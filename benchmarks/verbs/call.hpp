// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace muster::benchmarks::verbs {

// Throws Error with the system's words when a call of libibverbs gave an error number, and where memory is lacking with
// how much this process may lock. The device is named where one is given.
void require_verbs(int error, std::string_view call, std::string_view device = {});

// Throws that error for what errno says.
[[noreturn]] void verbs_failed(std::string_view call);

// What a call made. Throws Error where it made nothing.
template <class T>
T* made(T* object, std::string_view call) {
  if (object == nullptr) verbs_failed(call);
  return object;
}

}  // namespace muster::benchmarks::verbs
