// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace muster::benchmarks {

// A call that a measurement needs and that did not work; the message says which and why.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace muster::benchmarks
