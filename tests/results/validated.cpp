// SPDX-License-Identifier: Apache-2.0
#include "tests/results/validated.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "tests/support/files.hpp"

namespace muster::tests {

bool is_valid(std::string_view schema, const std::filesystem::path& folder) {
  const std::string source = source_folder().string();
  const std::string command =
      fmt::format("/usr/bin/python3 '{}/tests/support/validate.py' '{}/results/{}.schema.json' '{}'", source, source,
                  schema, folder.string());
  return std::system(command.c_str()) == 0;
}

}  // namespace muster::tests
