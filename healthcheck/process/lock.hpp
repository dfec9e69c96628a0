// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "healthcheck/program/descriptor.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

// At most one holder of a file or folder on this machine. Forked processes hold it too, executed programs do not,
// so that it is free when the holder and its guards are gone, however they ended.
class Lock {
 public:
  // Makes the file where it does not exist. Throws UsageError when it can be neither opened nor made.
  explicit Lock(const std::filesystem::path& file);

  bool held() const { return held_; }
  // The process that holds it instead; 0 when the kernel does not say.
  int holder(const topology::Sysfs& live) const;

 private:
  Descriptor file_;
  bool held_ = false;
};

// The system's lock folder where there is one and it can be used, else the temporary folder.
std::filesystem::path default_lock();

}  // namespace muster::healthcheck
