// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "topology/log_front.hpp"

namespace muster::topology {

// Messages as objects: JSON of journalctl, dmesg and Docker, an object on one line or on many, and journalctl's export.
class LogObjects {
 public:
  // What the line is; nothing where it is none of such a log. Its text is valid until the next call. An object on many
  // lines is a message when its last line comes; the others are LineKind::other.
  std::optional<LogLine> take(std::string_view line, double written);

  // Of the last message; empty where it did not tell.
  const std::string& boot() const { return boot_; }

 private:
  std::optional<LogLine> whole_object(std::string_view line, double written);
  std::optional<LogLine> field_of_object(std::string_view line);
  std::optional<LogLine> exported_field(std::string_view line);
  LogLine message(double written);
  LogLine end_of_object(double written);

  std::map<std::string, std::string, std::less<>> fields_;
  bool is_in_bytes_ = false;  // of a message
  std::string text_;
  std::string boot_;
};

}  // namespace muster::topology
