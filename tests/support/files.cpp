// SPDX-License-Identifier: Apache-2.0
#include "tests/support/files.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace muster::tests {

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
