// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "results/system/error.hpp"

namespace muster::results {

// A text that is no JSON: "line 3: this is not JSON: ...".
class NoJson : public Error {
 public:
  NoJson(std::size_t line, const std::string& problem);

  std::size_t line() const { return line_; }
  // Without its line.
  const std::string& problem() const { return problem_; }

 private:
  std::size_t line_;
  std::string problem_;
};

// Throws NoJson, also where the text has what readers of JSON do not agree on (a byte order mark, a NUL, a whole number
// that 64 bits do not hold, lists and objects inside one another more than 1024 times), and Error that names a field
// that is there twice by its JSON pointer.
nlohmann::json parsed(std::string_view text);

}  // namespace muster::results
