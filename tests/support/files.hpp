// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace muster::tests {

// The repository, the folder of the built programs, and the one that keeps the reports of tests.
std::filesystem::path source_folder();
std::filesystem::path bin_folder();
std::filesystem::path reports_folder();

// TMPDIR where that is set, else in memory: a disk takes long to make and remove the many small files of a machine.
std::filesystem::path temporary_place();

// An empty folder that is gone with its object.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& in = temporary_place());
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

  // Writes a file below the folder, making what folders it needs: a small kernel tree, file by file.
  void write(const std::filesystem::path& relative, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

// A copy of tests/machines/NAME to break.
void copy_machine(std::string_view name, const TemporaryFolder& into);

}  // namespace muster::tests
