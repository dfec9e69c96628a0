// SPDX-License-Identifier: Apache-2.0
#include "topology/log/log_front.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <system_error>

#include "topology/log/log_scan.hpp"
#include "topology/log/log_syslog.hpp"
#include "topology/log/log_time.hpp"

namespace muster::topology {
namespace {

using namespace front;

constexpr double microseconds_per_second = 1e6;

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
    if (!number<double>(text)) return false;
    if (!skip(text, " ")) skip(text, "*");  // of journalctl --output short-delta
    if (!skip(text, ">")) return false;
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

// "04:59:15,874 NOTICE kernel:" of the installer of RHEL
bool take_installer(LogLine& line) {
  auto text = line.text;
  const auto time = before(text, ' ', 16);
  const auto level = before(text, ' ', 16);
  const auto program = before(text, ':', 32);
  if (!time || !level || !program || time->size() != 12 || (*time)[2] != ':' || (*time)[8] != ',') return false;
  if (std::ranges::any_of(*level, [](char c) { return c < 'A' || c > 'Z'; })) return false;
  if (*program != "kernel") line.kind = LineKind::other;
  line.text = text;
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
    return take_record(line) || take_date_of_line(line) || take_talos(line) || take_installer(line) ||
           (is_outermost && take_unknown_syslog(line));
  if (!is_outermost && (line.seconds || line.date)) return false;  // what the kernel says begins as it likes
  if (first == '-') return take_mark_of_boot(line);
  const bool is_foreign = static_cast<unsigned char>(first) >= 0x80;  // the name of a month
  if (!is_foreign && std::isalpha(static_cast<unsigned char>(first)) == 0) return false;
  if (is_outermost && skip(line.text, "kernel: ")) return true;
  if (take_syslog(line, written) || take_facility(line) || take_full_date(line) || take_talos(line)) return true;
  return is_outermost && take_unknown_syslog(line);
}

}  // namespace

// Priority, sequence, microseconds, flags and what later kernels add.
bool take_record(LogLine& line) {
  auto text = line.text;
  const auto priority = number<unsigned>(text);
  if (!priority || !skip(text, ",")) return false;
  const auto sequence = number<std::uint64_t>(text);
  if (!sequence || !skip(text, ",")) return false;
  const auto microseconds = number<std::uint64_t>(text);
  if (!microseconds || !skip(text, ",")) return false;
  const auto semicolon = text.substr(0, 256).find(';');
  if (semicolon == std::string_view::npos) return false;
  line.sequence = sequence;
  line.seconds = static_cast<double>(*microseconds) / microseconds_per_second;
  line.text = text.substr(semicolon + 1);
  return true;
}

LogLine without_front(std::string_view whole, double written) {
  constexpr int max_fronts = 8;  // one in the other
  LogLine line{.text = whole};
  bool is_indented = false;
  while (!line.text.empty() && (line.text.front() == ' ' || line.text.front() == '\t' || line.text.starts_with("> "))) {
    is_indented = is_indented || line.text.front() != '>';
    line.text.remove_prefix(1);
  }
  for (int i = 0; i < max_fronts && line.kind == LineKind::message; ++i) {
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
    if (rest.starts_with("#012") || rest.starts_with("\\x0a")) {
      plain += '\n';
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace muster::topology
