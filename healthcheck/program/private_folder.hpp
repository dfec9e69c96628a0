// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "healthcheck/program/descriptor.hpp"

namespace muster::healthcheck {

// The system's folder for temporary files. Throws UsageError where TMPDIR names none.
std::filesystem::path temporary_folder();

// Where the children of one run write: readable by this user only, gone with its object. It is locked, so that a folder
// whose run was killed can be told from one in use.
class PrivateFolder {
 public:
  // Removes what killed runs of this user left in `scratch`, then makes a new one there. Throws UsageError.
  explicit PrivateFolder(const std::filesystem::path& scratch);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Descriptor lock_;
};

}  // namespace muster::healthcheck
