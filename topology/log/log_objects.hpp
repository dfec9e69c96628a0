// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "topology/log/log_front.hpp"

namespace muster::topology {

// "__REALTIME_TIMESTAMP"
bool is_name_of_journal(std::string_view name);

// Messages as objects: JSON of journalctl, dmesg and Docker, an object on one line or on many, and what journalctl
// calls export and verbose.
class LogObjects {
 public:
  // Whether a log may be one of objects, by this line of it.
  static bool may_begin(std::string_view line);

  // What the line is; nothing where it is none of such a log. Its text is valid until the next call. An object on many
  // lines is a message when it ends; the others are LineKind::other.
  std::optional<LogLine> take(std::string_view line, double written);

  // What the log ended in the midst of.
  LogLine end(double written);

  // Of the last message; empty where it did not tell.
  const std::string& boot() const { return boot_; }

 private:
  enum class Form { json, exported, verbose };
  static constexpr LogLine between{.kind = LineKind::other, .has_front = true};
  static constexpr std::size_t max_bytes = 8192;  // of a value; the kernel writes no longer message

  std::optional<LogLine> whole_object(std::string_view line, double written);
  std::optional<LogLine> field_of_object(std::string_view line);
  void add_element(std::string_view line);
  std::optional<LogLine> exported_field(std::string_view line, double written);
  LogLine add_bytes(std::string_view line);
  LogLine begin_entry(std::string_view line, double written);
  LogLine field_of_entry(std::string_view line);
  void keep(std::string_view name, std::string value);
  bool has_message() const;
  LogLine message(double written);

  Form form_ = Form::json;
  std::map<std::string, std::string, std::less<>> fields_;
  bool is_in_array_ = false;   // the bytes of a message, in JSON
  std::string name_;           // of the last field of a verbose entry
  std::string name_of_bytes_;  // of an exported field whose bytes come
  std::string bytes_;
  std::string text_;
  std::string boot_;
};

}  // namespace muster::topology
