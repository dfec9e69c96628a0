// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "results/html/picture.hpp"
#include "results/strings/table.hpp"
#include "results/values/verdict.hpp"

// What pages are made of. Every function takes plain text and gives markup, except where it says otherwise.
namespace muster::results::html {

// A whole page that loads nothing: its policy names the one style and the one script that it has. `body` is markup;
// `script` may be empty.
std::string document(std::string_view title, std::string_view body, std::string_view more_style = {},
                     std::string_view script = {});

// A status by sign and word; `count` stands before the word where it is not empty.
std::string badge(Status status, std::string_view count = {});

// A term and its value for a list <dl>; nothing of an empty value.
std::string fact(std::string_view name, std::string_view value);

// What each page ends with.
std::string footer(std::string_view version);

// A table that scrolls sideways by itself where it is too wide. Columns whose numbers are given are on the right. No
// more than `most` bytes of rows are written; then a sentence says how many are not.
struct TableForm {
  std::string_view caption;
  std::string_view id;  // unique in the page
  std::vector<std::size_t> numbers = {};
  std::size_t most = 40'000;
  bool caption_is_seen = false;
};
std::string table(const Row& head, const std::vector<Row>& rows, const TableForm& form);

// The picture with its caption, and its numbers in a table that opens. A drawing of more bytes is left out.
std::string figure(const Picture& picture, std::size_t most_of_drawing = 60'000);

// What a hidden text says to readers alone.
std::string spoken(std::string_view text);

}  // namespace muster::results::html
