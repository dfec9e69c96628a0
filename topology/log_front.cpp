// SPDX-License-Identifier: Apache-2.0
#include "topology/log_front.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <system_error>

#include "topology/log_time.hpp"

namespace muster::topology {
namespace {

constexpr double microseconds_per_second = 1e6;

bool skip(std::string_view& text, std::string_view expected) {
  const bool is_there = text.starts_with(expected);
  if (is_there) text.remove_prefix(expected.size());
  return is_there;
}

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); }

// A number at the beginning of the text, which then begins behind it.
template <class Number>
std::optional<Number> number(std::string_view& text) {
  Number found = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), found);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return found;
}

// What stands before the character, which is taken off with it; nothing where it is not near.
std::optional<std::string_view> before(std::string_view& text, char end, std::size_t most = 256) {
  const auto at = text.substr(0, most).find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const auto found = text.substr(0, at);
  text.remove_prefix(at + 1);
  return found;
}

// "[T117] ", "[    C5] ": the thread or CPU of CONFIG_PRINTK_CALLER.
void skip_caller(std::string_view& whole) {
  auto text = whole;
  if (!skip(text, "[")) return;
  skip_blanks(text);
  if (!skip(text, "T") && !skip(text, "C")) return;
  if (!number<unsigned>(text) || !skip(text, "]")) return;
  skip(text, " ");
  whole = text;
}

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

// "host kernel: " behind a time; what another program said is no message.
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

// "<4>1 2025-06-11T02:15:02Z host kernel - - - text" behind its priority: RFC 5424.
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

bool take_priority(LogLine& line) {
  auto text = line.text;
  if (!skip(text, "<") || !number<unsigned>(text) || !skip(text, ">")) return false;
  line.text = text;
  take_rfc5424(line);
  return true;
}

// "[    5.140900] ", "[    5.140900 <    0.000012>] ", "[<    0.000012>] "
bool take_seconds(LogLine& line) {
  auto text = line.text.substr(1);
  skip_blanks(text);
  const auto seconds = text.starts_with('<') ? std::nullopt : number<double>(text);
  if (!seconds && !text.starts_with('<')) return false;
  if (seconds) skip_blanks(text);
  if (skip(text, "<")) {
    skip_blanks(text);
    if (!number<double>(text) || !skip(text, ">")) return false;
  }
  if (!skip(text, "]")) return false;
  skip(text, " ");
  if (seconds) line.seconds = seconds;
  line.text = text;
  return true;
}

// "[Wed Jun 11 02:15:02 2025] ", "[Jun11 02:15] ", "[  +0.000012] ", "[2025-06-11T02:15:02Z] "
bool take_bracketed_date(LogLine& line, double written) {
  auto text = line.text.substr(1);
  std::optional<double> date;
  std::optional<double> after;
  if (auto delta = text; skip_blanks(delta), skip(delta, "+")) {
    after = number<double>(delta);
    text = delta;
  } else if (text.size() > 1 && text[0] >= '0' && text[0] <= '9') {
    date = take_iso_time(text);
  } else {
    date = take_c_time(text);
    if (!date) date = take_short_time(text, written);
  }
  if ((!date && !after) || !(skip(text, "]") || skip(text, "]:"))) return false;
  skip(text, ":");
  skip(text, " ");
  if (date) line.date = date;
  line.after_last = after;
  line.text = text;
  return true;
}

bool take_bracket(LogLine& line, double written) {
  if (line.text.starts_with("[pod/")) {
    auto text = line.text;
    if (!before(text, ']') || !skip(text, " ")) return false;
    line.text = text;
    return true;
  }
  if (!take_seconds(line) && !take_bracketed_date(line, written)) {
    const auto whole = line.text;
    skip_caller(line.text);
    return line.text.size() < whole.size();
  }
  skip_caller(line.text);
  take_host_and_tag(line);
  return true;
}

// A date, and behind it what a container, a system log or nobody put there.
bool take_date_of_line(LogLine& line) {
  auto text = line.text;
  auto date = take_iso_time(text);
  if (!date) {                     // "1749600902.500000 host kernel: "
    constexpr double least = 1e8;  // 1973
    date = number<double>(text);
    if (!date || *date < least || !text.starts_with(' ')) return false;
  }
  if (!skip(text, " ")) return false;
  line.date = date;
  if (skip(text, "stdout ") || skip(text, "stderr ")) {
    if (skip(text, "P ")) line.kind = LineKind::partial;
    skip(text, "F ");
    line.text = text;
    return true;
  }
  line.text = text;
  take_host_and_tag(line);
  return true;
}

// "Jun 11 02:15:02 host kernel: "
bool take_syslog(LogLine& line, double written) {
  auto text = line.text;
  const auto date = take_syslog_time(text, written);
  if (!date || !skip(text, " ")) return false;
  line.date = date;
  line.text = text;
  take_host_and_tag(line);
  return true;
}

// "Wed 2025-06-11 02:15:02 UTC host kernel: " of journalctl; with "[s=" it begins a record of --output verbose.
bool take_full_date(LogLine& line) {
  constexpr std::size_t weekday = 4;
  auto text = line.text.substr(std::min(weekday, line.text.size()));
  const auto date = take_iso_time(text);
  if (!date || !skip(text, " ")) return false;
  if (const auto zone = before(text, ' ', 8); !zone) return false;
  line.date = date;
  line.text = text;
  if (text.starts_with("[s="))
    line.kind = LineKind::other;
  else
    take_host_and_tag(line);
  return true;
}

// "kern  :info  : " of dmesg --decode
bool take_facility(LogLine& line) {
  constexpr std::array<std::string_view, 8> names{"kern", "user", "daemon", "auth", "syslog", "mail", "lpr", "news"};
  auto text = line.text;
  if (std::ranges::none_of(names, [&](std::string_view name) { return skip(text, name); })) return false;
  skip_blanks(text);
  if (!skip(text, ":")) return false;
  const auto level = before(text, ':', 9);
  if (!level || level->empty() || std::isalpha(static_cast<unsigned char>(level->front())) == 0) return false;
  skip(text, " ");
  line.text = text;
  return true;
}

// "10.0.0.7: kern:    info: [2025-06-11T02:15:02Z]: " of Talos
bool take_talos(LogLine& line) {
  auto text = line.text;
  const auto node = before(text, ' ', 64);
  if (!node || !node->ends_with(':') || !skip(text, "kern:")) return false;
  skip_blanks(text);
  const auto level = before(text, ':', 9);
  if (!level) return false;
  skip_blanks(text);
  line.text = text;
  return true;
}

// Any time and host before the kernel's tag.
bool take_unknown_syslog(LogLine& line) {
  constexpr std::string_view tag = " kernel: ";
  constexpr std::size_t most_in_front = 64;
  const auto at = line.text.substr(0, most_in_front + tag.size()).find(tag);
  if (at == std::string_view::npos || line.text.substr(0, at).find(':') == std::string_view::npos) return false;
  const auto front = line.text.substr(0, at);
  if (std::ranges::none_of(front, [](char c) { return c >= '0' && c <= '9'; })) return false;
  if (front.find("]:") != std::string_view::npos) return false;  // another program quotes the kernel
  line.text.remove_prefix(at + tag.size());
  return true;
}

bool take_mark_of_boot(LogLine& line) {
  if (!line.text.starts_with("-- ")) return false;
  line.kind =
      line.text.starts_with("-- Reboot") || line.text.starts_with("-- Boot ") ? LineKind::boot : LineKind::other;
  return true;
}

// One of those in front; `is_outermost`: nothing was taken off yet.
bool take_one(LogLine& line, bool is_outermost, double written) {
  const char first = line.text.empty() ? '\0' : line.text.front();
  if (first == '[') return take_bracket(line, written);
  if (first == '<') return take_priority(line);
  if (first >= '0' && first <= '9')
    return take_record(line) || take_date_of_line(line) || take_talos(line) ||
           (is_outermost && take_unknown_syslog(line));
  if (!is_outermost && (line.seconds || line.date)) return false;  // what the kernel says begins as it likes
  if (first == '-') return take_mark_of_boot(line);
  if (std::isalpha(static_cast<unsigned char>(first)) == 0) return false;
  if (take_syslog(line, written) || take_facility(line) || take_full_date(line) || take_talos(line)) return true;
  return is_outermost && take_unknown_syslog(line);
}

}  // namespace

// Priority, sequence, microseconds, flags and what later kernels add.
bool take_record(LogLine& line) {
  const char* at = line.text.data();
  const char* const end = at + line.text.size();
  unsigned priority = 0;
  std::uint64_t sequence = 0;
  std::uint64_t microseconds = 0;
  const auto take = [&](auto& number) {
    const auto [stop, error] = std::from_chars(at, end, number);
    at = stop + 1;
    return error == std::errc() && stop < end && *stop == ',';
  };
  if (!take(priority) || !take(sequence) || !take(microseconds)) return false;
  const auto text = line.text.substr(static_cast<std::size_t>(at - line.text.data()));
  const auto semicolon = text.substr(0, 256).find(';');
  if (semicolon == std::string_view::npos) return false;
  line.sequence = sequence;
  line.seconds = static_cast<double>(microseconds) / microseconds_per_second;
  line.text = text.substr(semicolon + 1);
  return true;
}

LogLine without_front(std::string_view whole, double written) {
  constexpr int most_fronts = 8;  // one in the other
  LogLine line{.text = whole};
  bool is_indented = false;
  while (!line.text.empty() && (line.text.front() == ' ' || line.text.front() == '\t' || line.text.starts_with("> "))) {
    is_indented = is_indented || line.text.front() != '>';
    line.text.remove_prefix(1);
  }
  for (int i = 0; i < most_fronts && line.kind == LineKind::message; ++i) {
    if (!take_one(line, !line.has_front, written)) break;
    line.has_front = true;
  }
  if (line.kind == LineKind::partial) {
    LogLine inner = without_front(line.text, written);
    inner.kind = LineKind::partial;
    inner.has_front = true;
    if (!inner.date) inner.date = line.date;
    return inner;
  }
  if (is_indented && !line.has_front) line.kind = LineKind::continued;
  return line;
}

bool has_colours(std::string_view line) { return line.find('\x1b') != std::string_view::npos; }

std::string without_colours(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      plain += line[i];
      continue;
    }
    if (i + 1 < line.size() && line[i + 1] == '[') ++i;
    while (i + 1 < line.size() && std::isalpha(static_cast<unsigned char>(line[i + 1])) == 0) ++i;
    ++i;  // the letter that ends it
  }
  return plain;
}

std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto rest = text.substr(i);
    if (rest.starts_with("#012")) {
      plain += '\n';
      i += 3;
    } else if (rest.starts_with("\\x0a")) {
      plain += '\n';
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace muster::topology
