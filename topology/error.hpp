// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace muster::topology {

// A kernel file or system tree that does not hold what it must; the message quotes the path and the text.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace muster::topology
