// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/call.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "benchmarks/error.hpp"
#include "results/values/quantity.hpp"

namespace muster::benchmarks::verbs {
namespace {

// Locked memory, which queues want too, is what containers and shells run out of first.
std::string advice(int error) {
  rlimit limit{};
  if (error != ENOMEM || getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  const results::Quantity bytes{static_cast<double>(limit.rlim_cur), results::Unit::byte};
  return fmt::format(
      ", and of locked memory the limit of this process is {}: raise it (ulimit -l, LimitMEMLOCK= of the container "
      "runtime's service); in a pod the capability IPC_LOCK helps only where the container runs as root",
      results::to_text(bytes));
}

}  // namespace

void require_verbs(int error, std::string_view call, std::string_view device) {
  if (error == 0) return;
  const auto where = device.empty() ? std::string(call) : fmt::format("{} on {}", call, device);
  errno = error;
  verbs_failed(where);
}

void verbs_failed(std::string_view call) {
  const int error = errno;
  throw Error(fmt::format("{} failed: {}{}", call, std::generic_category().message(error), advice(error)));
}

}  // namespace muster::benchmarks::verbs
