// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "results/json/fields_json.hpp"
#include "results/system/error.hpp"
#include "results/values/quantity.hpp"
#include "results/values/verdict.hpp"

namespace muster::healthcheck {

// A text that says something.
std::string filled_text(const results::Field& field);

// A unit, spelt as reports spell it.
results::Unit read_unit(const results::Field& field);

// The worst that a violation can be: fail, unknown or warn.
results::Status read_severity(const results::Field& field);

// A JSON file written by people, with the line of every field, so that its problems can be found in an editor.
class Document {
 public:
  // Throws UsageError when the file cannot be read, is not JSON, or has a field twice.
  explicit Document(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return file_; }
  const std::string& text() const { return text_; }

  // What `reader` makes of the whole document; an error of a field becomes UsageError "FILE:LINE: /field: ...".
  template <typename Reader>
  auto read(Reader reader) const {
    try {
      return reader(results::Field(json_));
    } catch (const results::Error& error) {
      fail(error.what());
    }
  }

 private:
  [[noreturn]] void fail(std::string_view problem) const;

  std::filesystem::path file_;
  std::string text_;
  nlohmann::json json_;
  mutable std::map<std::string, std::size_t, std::less<>> lines_;  // of fields, by JSON pointer; empty before a problem
};

}  // namespace muster::healthcheck
