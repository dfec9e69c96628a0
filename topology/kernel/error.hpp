// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace muster::topology {

// A kernel file or system tree that does not hold what it must; the message quotes the path and the text.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  Error(std::string_view path, const std::string& problem, int code = 0)
      : std::runtime_error(std::string(path) + ": " + problem), path_(path), code_(code) {}

  // The file at fault; empty when only its text was known.
  const std::string& path() const { return path_; }
  // The errno of reading it; 0 when it could be read.
  int code() const { return code_; }

 private:
  std::string path_;
  int code_ = 0;
};

}  // namespace muster::topology
