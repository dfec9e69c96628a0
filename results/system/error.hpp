// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace muster::results {

// A report or a file of this library that cannot be read or written; the message is one sentence for people.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace muster::results
