// SPDX-License-Identifier: Apache-2.0
#include "tests/support/files.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace muster::tests {

std::filesystem::path temporary_place() {
  const std::filesystem::path memory = "/dev/shm";
  const bool is_usable = std::getenv("TMPDIR") == nullptr && access(memory.c_str(), W_OK | X_OK) == 0;
  return is_usable ? memory : std::filesystem::temp_directory_path();
}

TemporaryFolder::TemporaryFolder(const std::filesystem::path& in) {
  std::string name = (in / "muster-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder: " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::filesystem::path& relative, std::string_view text) const {
  const auto file = path_ / relative;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void copy_machine(std::string_view name, const TemporaryFolder& into) {
  std::filesystem::copy(source_folder() / "tests/machines" / name, into.path(),
                        std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
}

}  // namespace muster::tests
