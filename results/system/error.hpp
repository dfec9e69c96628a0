// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace muster::results {

// A report or a file of this library that cannot be read or written; the message is one sentence for people.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One that the machine is the cause of, and no input: a disk that is full or broken, no descriptor left. Programs
// exit 3.
class Failure : public Error {
 public:
  using Error::Error;
};

}  // namespace muster::results
