// SPDX-License-Identifier: Apache-2.0
#include "topology/log/log_objects.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "topology/kernel/text_fields.hpp"
#include "topology/log/log_scan.hpp"
#include "topology/log/log_time.hpp"

namespace muster::topology {
namespace {

constexpr double microsecond = 1e-6;
constexpr std::array<std::string_view, 3> names_of_messages{"MESSAGE", "msg", "log"};
// What a message is made of; an object has some thirty fields.
constexpr std::array<std::string_view, 9> kept_names{"MESSAGE",
                                                     "msg",
                                                     "log",
                                                     "time",
                                                     "__REALTIME_TIMESTAMP",
                                                     "_SOURCE_MONOTONIC_TIMESTAMP",
                                                     "_TRANSPORT",
                                                     "_BOOT_ID",
                                                     "SYSLOG_IDENTIFIER"};

// Of `journalctl --output verbose`, above the fields of an entry.
bool is_header(std::string_view line) {
  return line.ends_with(']') && line.find(" [s=") != std::string_view::npos &&
         line.find(";i=") != std::string_view::npos && line.find(";b=") != std::string_view::npos;
}

// "Wed 2025-06-11 02:15:02.501000 UTC [s=5cca;i=1;b=1111;m=4e758c;t=6374261721a88;x=22f0]": a value of the bracket.
std::string_view value_of_header(std::string_view line, std::string_view name) {
  const auto begin = line.find(name);
  if (begin == std::string_view::npos) return {};
  const auto value = line.substr(begin + name.size());
  return value.substr(0, value.find_first_of(";]"));
}

}  // namespace

bool is_name_of_journal(std::string_view name) {
  const auto is_fine = [](char c) { return c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  return !name.empty() && std::ranges::all_of(name, is_fine);
}

bool LogObjects::may_begin(std::string_view line) {
  constexpr std::string_view begin = "{}\"]\x1e_d";
  return !line.empty() && (begin.find(line.front()) != std::string_view::npos || line.ends_with(']'));
}

std::optional<LogLine> LogObjects::take(std::string_view line, double written) {
  if (!name_of_bytes_.empty() && !line.starts_with("__CURSOR=")) return add_bytes(line);
  constexpr std::string_view indent = "    ";  // of a field
  if (form_ == Form::verbose && line.starts_with(indent)) return field_of_entry(line.substr(indent.size()));
  if (is_header(line)) return begin_entry(line, written);
  if (form_ == Form::exported && line.empty()) return end(written);
  front::skip(line, "\x1e");  // of JSON text sequences
  line = trimmed(line);
  if (line.starts_with("data: {")) line.remove_prefix(6);
  if (line.empty()) return std::nullopt;
  if (is_in_array_) {
    add_element(line);
    return between;
  }
  switch (line.front()) {
    case '{':
    case '}':
      return line.size() > 4 ? whole_object(line, written) : end(written);
    case ']':
      return line.size() > 2 ? std::nullopt : std::optional<LogLine>(between);
    case '"':
      return field_of_object(line);
    default:
      return exported_field(line, written);
  }
}

void LogObjects::keep(std::string_view name, std::string value) {
  if (std::ranges::find(kept_names, name) != kept_names.end())
    fields_.insert_or_assign(std::string(name), std::move(value));
}

bool LogObjects::has_message() const {
  return std::ranges::any_of(names_of_messages, [&](std::string_view name) { return fields_.contains(name); });
}

LogLine LogObjects::end(double written) {
  if (has_message()) return message(written);
  fields_.clear();
  return between;
}

// Its header ends the entry before.
LogLine LogObjects::begin_entry(std::string_view line, double written) {
  auto before = end(written);
  form_ = Form::verbose;
  std::uint64_t microseconds = 0;
  const auto time = value_of_header(line, ";t=");
  constexpr int hexadecimal = 16;
  if (std::from_chars(time.data(), time.data() + time.size(), microseconds, hexadecimal).ec == std::errc())
    keep("__REALTIME_TIMESTAMP", std::to_string(microseconds));
  return before;
}

// "NAME=value", or a further line of that value, which is indented more.
LogLine LogObjects::field_of_entry(std::string_view line) {
  if (!line.starts_with(' ')) {
    const auto equals = std::min(line.find('='), line.size());
    name_ = line.substr(0, equals);
    keep(name_, std::string(line.substr(std::min(equals + 1, line.size()))));
  } else if (const auto field = fields_.find(name_); field != fields_.end() && field->second.size() < max_bytes) {
    field->second += '\n';
    field->second += trimmed(line);
  }
  return between;
}

// "NAME=value" of `journalctl --output export`, in which an empty line ends an entry, and "__CURSOR" begins one.
std::optional<LogLine> LogObjects::exported_field(std::string_view line, double written) {
  const auto equals = line.substr(0, 64).find('=');
  const auto name = line.substr(0, equals);
  if (!is_name_of_journal(name) || (form_ != Form::exported && !name.starts_with("__"))) return std::nullopt;
  form_ = Form::exported;
  if (equals == std::string_view::npos) {
    name_of_bytes_ = name;
    bytes_.clear();
    return between;
  }
  name_of_bytes_.clear();
  auto before = name == "__CURSOR" ? end(written) : LogLine(between);
  keep(name, std::string(line.substr(equals + 1)));
  return before;
}

// A value with line breaks: its length in 8 bytes, little-endian, and that many bytes.
LogLine LogObjects::add_bytes(std::string_view line) {
  std::uint64_t length = 0;
  bytes_ += line;
  bytes_ += '\n';
  if (bytes_.size() <= sizeof length) return between;
  for (std::size_t i = sizeof length; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes_[i]);
  if (length < bytes_.size() - sizeof length || bytes_.size() > max_bytes) {
    keep(name_of_bytes_, bytes_.substr(sizeof length, std::min<std::uint64_t>(length, max_bytes)));
    name_of_bytes_.clear();
  }
  return between;
}

LogLine LogObjects::message(double written) {
  const auto field = [&](std::string_view name) {
    const auto found = fields_.find(name);
    return found == fields_.end() ? std::string_view() : std::string_view(found->second);
  };
  const auto number = [&](std::string_view name) {
    auto text = trimmed(field(name));
    return front::number<double>(text);
  };
  LogLine line{.has_front = true};
  const auto transport = field("_TRANSPORT");
  const bool is_of_kernel =
      transport.empty() || transport == "kernel" || (transport == "syslog" && field("SYSLOG_IDENTIFIER") == "kernel");
  if (!is_of_kernel) line.kind = LineKind::other;
  if (const auto micro = number("__REALTIME_TIMESTAMP")) line.date = *micro * microsecond;
  if (const auto micro = number("_SOURCE_MONOTONIC_TIMESTAMP")) line.seconds = *micro * microsecond;
  boot_ = field("_BOOT_ID");
  for (const auto name : names_of_messages)
    if (const auto found = fields_.find(name); found != fields_.end()) text_ = std::move(found->second);
  while (text_.ends_with('\n')) text_.pop_back();
  line.text = text_;
  if (fields_.contains("msg") && !fields_.contains("MESSAGE")) line.seconds = number("time");
  if (fields_.contains("log") || fields_.contains("msg")) {
    const auto inner = without_front(text_, written);
    line.text = inner.text;
    if (inner.kind == LineKind::other) line.kind = inner.kind;
    if (inner.seconds) line.seconds = inner.seconds;
    if (auto time = field("time"); const auto date = take_iso_time(time)) line.date = date;  // of Docker
    if (inner.date) line.date = inner.date;
  }
  fields_.clear();
  return line;
}

}  // namespace muster::topology
