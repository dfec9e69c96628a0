// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace muster::healthcheck {

// Input that cannot be used: what, where, what to do, in one sentence. The program prints it and exits 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace muster::healthcheck
