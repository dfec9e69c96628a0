// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::disk {

// The disk failed, not what lies above it.
class DiskError : public Error {
 public:
  using Error::Error;
};

// Says what could not be done, and why, by an error number of the system. Throws DiskError where the number is one that
// drives and the way to them cause, and Error where it is another: no space, a quota, no rights.
[[noreturn]] void throw_error(int number, const std::string& what);

// The same of a file that was opened to be written: a file system that has become read-only since did so after an error
// of its disk (ext4(5), errors=remount-ro).
[[noreturn]] void throw_transfer_error(int number, const std::string& what);

}  // namespace muster::benchmarks::disk
