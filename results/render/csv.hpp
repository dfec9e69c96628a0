// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace muster::results {

// Rows of RFC 4180: UTF-8, cells separated by commas, rows ended by CR LF. A text that a spreadsheet would run as a
// formula gets an apostrophe before it and is quoted. A number stays a number; control characters become spaces.
class Csv {
 public:
  using Cell = std::variant<std::string, double>;

  // The names of the columns, with commas.
  explicit Csv(std::string_view header) : text_(header) { text_ += "\r\n"; }

  void row(const std::vector<Cell>& cells);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace muster::results
