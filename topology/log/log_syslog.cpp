// SPDX-License-Identifier: Apache-2.0
#include "topology/log/log_syslog.hpp"

#include <algorithm>

#include "topology/log/log_scan.hpp"
#include "topology/log/log_time.hpp"

namespace muster::topology::front {
namespace {

// "kernel: ", "kernel[0]: ", "python3[4711]: ": whether it is one of syslog, and whether it is the kernel's.
enum class Tag { none, kernel, other };

Tag take_tag(std::string_view& whole) {
  auto text = whole;
  const auto name = before(text, ' ', 64);
  if (!name || !name->ends_with(':')) return Tag::none;
  const auto program = name->substr(0, name->find('['));
  if (program == "kernel:" || program == "kernel") {
    whole = text;
    return Tag::kernel;
  }
  return name->ends_with("]:") && program.size() < name->size() ? Tag::other : Tag::none;
}

}  // namespace

void take_host_and_tag(LogLine& line) {
  auto text = line.text;
  const auto host = before(text, ' ');
  if (!host || host->empty() || host->ends_with(':')) return;
  switch (take_tag(text)) {
    case Tag::kernel:
      line.text = text;
      break;
    case Tag::other:
      line.kind = LineKind::other;
      break;
    case Tag::none:
      break;
  }
}

bool take_rfc5424(LogLine& line) {
  auto text = line.text;
  if (!skip(text, "1 ")) return false;
  const auto date = take_iso_time(text);
  if (!date || !skip(text, " ")) return false;
  const auto host = before(text, ' ');
  const auto program = before(text, ' ');
  if (!host || !program || !before(text, ' ') || !before(text, ' ')) return false;
  if (text.starts_with('[')) {  // structured data
    const auto end = text.find("] ");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
  } else if (!skip(text, "- ")) {
    return false;
  }
  skip(text, "\xef\xbb\xbf");
  line.date = date;
  line.text = text;
  if (*program != "kernel") line.kind = LineKind::other;
  return true;
}

bool take_syslog(LogLine& line, double written) {
  auto text = line.text;
  const auto date = take_syslog_time(text, written);
  if (!date || !skip(text, " ")) return false;
  line.date = date;
  line.text = text;
  take_host_and_tag(line);
  return true;
}

bool take_full_date(LogLine& line) {
  constexpr std::size_t weekday = 4;
  auto text = line.text.substr(std::min(weekday, line.text.size()));
  const auto date = take_iso_time(text);
  if (!date || !skip(text, " ")) return false;
  if (const auto zone = before(text, ' ', 8); !zone) return false;
  line.date = date;
  line.text = text;
  take_host_and_tag(line);
  return true;
}

bool take_unknown_syslog(LogLine& line) {
  constexpr std::string_view tag = " kernel: ";
  constexpr std::size_t max_in_front = 64;
  const auto at = line.text.substr(0, max_in_front + tag.size()).find(tag);
  if (at == std::string_view::npos || line.text.substr(0, at).find(':') == std::string_view::npos) return false;
  const auto front = line.text.substr(0, at);
  if (std::ranges::none_of(front, [](char c) { return c >= '0' && c <= '9'; })) return false;
  if (front.find("]:") != std::string_view::npos) return false;  // another program quotes the kernel
  line.text.remove_prefix(at + tag.size());
  return true;
}

}  // namespace muster::topology::front
