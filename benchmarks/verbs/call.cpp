// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/call.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "benchmarks/error.hpp"

namespace muster::benchmarks {

void require_verbs(int error, std::string_view call) {
  if (error != 0) throw Error(fmt::format("{} failed: {}", call, std::generic_category().message(error)));
}

void verbs_failed(std::string_view call) {
  throw Error(fmt::format("{} failed: {}", call, std::generic_category().message(errno)));
}

}  // namespace muster::benchmarks
