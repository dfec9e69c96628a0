// SPDX-License-Identifier: Apache-2.0
#include "topology/log/kernel_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "results/strings/utf8.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

constexpr std::size_t max_of_a_line = 80;  // bytes, in a sentence

// How every kernel starts.
bool is_first_message(std::string_view text) {
  if (text.empty() || (text.front() != 'L' && text.front() != 'B')) return false;
  return text.starts_with("Linux version ") || text.starts_with("Booting Linux on physical CPU");
}

// "NVRM: " of "NVRM: The NVIDIA GPU 0000:01:00.0"
std::string_view driver(std::string_view text) {
  const auto colon = text.substr(0, 32).find(": ");
  const auto name = text.substr(0, colon == std::string_view::npos ? 0 : colon + 2);
  return name.find_first_of(" \n") + 1 < name.size() ? std::string_view() : name;
}

}  // namespace

KernelLog::KernelLog(std::filesystem::path file) : bytes_(std::move(file)) {}

std::optional<KernelMessage> KernelLog::next() {
  const auto line = message_line();
  if (!line) return std::nullopt;
  follow_boots(*line);
  if (line->sequence) follow(*line->sequence);
  ++messages_;
  ++messages_of_boot_;
  is_of_a_kernel_ = is_of_a_kernel_ || is_first_message(line->text);
  KernelMessage message{
      .sequence = line->sequence, .seconds = line->seconds, .date = line->date, .boot = boot_, .text = line->text};
  if (may_go_on(*line)) {
    read_on(*line);
    message.text = text_;
  }
  return message;
}

// The next line that is a message.
std::optional<LogLine> KernelLog::message_line() {
  if (held_) {
    current_text_.swap(held_text_);
    auto line = std::exchange(held_, std::nullopt);
    line->text = current_text_;
    return line;
  }
  while (const auto text = line()) {
    const LogLine line = understood(*text);
    if (line.kind == LineKind::message || line.kind == LineKind::partial) return line;
  }
  if (const LogLine last = objects_.end(bytes_.written()); last.kind == LineKind::message) return last;
  return std::nullopt;
}

LogLine KernelLog::taken_apart(std::string_view line) {
  if (is_of_objects_ || LogObjects::may_begin(line))
    if (auto found = objects_.take(line, bytes_.written())) {
      is_of_objects_ = true;
      if (found->kind == LineKind::message && !found->date) found->date = date_;
      return *found;
    }
  return without_front(line, bytes_.written());
}

LogLine KernelLog::understood(std::string_view whole) {
  LogLine record{.has_front = true, .text = whole};
  if (!whole.empty() && std::isdigit(static_cast<unsigned char>(whole.front())) != 0 && take_record(record) &&
      record.text.find('\\') == std::string_view::npos && !record.text.ends_with('\r')) {
    ++lines_;
    is_after_front_ = true;
    return record;
  }
  if (whole.ends_with('\r')) whole.remove_suffix(1);
  if (whole.empty() && !is_of_objects_) return {.kind = LineKind::other, .has_front = true};
  if (!is_of_objects_) take_colours_off(whole);
  LogLine line = taken_apart(whole);
  if (line.kind == LineKind::continued && !is_after_front_) line.kind = LineKind::message;
  if (line.kind == LineKind::message || line.kind == LineKind::partial) is_after_front_ = line.has_front;
  if (line.after_last && date_) line.date = *date_ + *line.after_last;
  if (line.date) date_ = line.date;
  const bool is_escaped = line.text.find(line.sequence ? "\\x0a" : "#012") != std::string_view::npos;
  if (is_escaped && line.kind == LineKind::message) {
    unescaped_ = without_escapes(line.text);
    line.text = unescaped_;
  }
  if (line.kind == LineKind::boot && messages_of_boot_ > 0) {
    ++boot_;
    messages_of_boot_ = 0;
    seconds_.reset();
  }
  count(line, whole);
  if (is_of_objects_) take_colours_off(line.text);
  return line;
}

void KernelLog::take_colours_off(std::string_view& text) {
  if (!has_colours(text)) return;
  plain_ = without_colours(text);
  text = plain_;
}

void KernelLog::count(const LogLine& line, std::string_view whole) {
  const bool is_structure = line.kind == LineKind::other && !line.date && !line.seconds;
  if (line.kind == LineKind::continued || is_structure) return;
  ++lines_;
  if (line.has_front) return;
  if (lines_without_front_++ > 0) return;
  number_of_first_ = lines_;
  first_without_front_ = results::shortened(results::printable(whole), max_of_a_line);
}

std::string KernelLog::problem() const {
  if (is_of_a_kernel_ || 2 * lines_without_front_ <= lines_) return {};
  return fmt::format("is not a kernel log that muster understands: line {} is '{}'", number_of_first_,
                     first_without_front_);
}

// A record of the ring is whole. Else the next line must be looked at where it may belong to this message.
bool KernelLog::may_go_on(const LogLine& line) const {
  if (line.kind == LineKind::partial) return true;
  if (line.sequence || is_of_objects_) return false;
  return rest_.empty() || rest_.front() == ' ' || rest_.front() == '\t' || !driver(line.text).empty();
}

// A part that a container's runtime cut off; a line that is indented below the message; or, of a message that syslog
// split, a line that begins with the driver's name and in the middle of a sentence.
bool KernelLog::goes_on(const LogLine& first, const LogLine& more, bool is_partial) const {
  if (is_partial) return more.kind == LineKind::message || more.kind == LineKind::partial;
  if (more.kind == LineKind::continued) return first.has_front;
  const auto name = driver(text_);
  if (more.kind != LineKind::message || name.empty() || !more.text.starts_with(name) || more.text.size() == name.size())
    return false;
  constexpr double at_once = 0.01;  // s: syslog gives each line a time of its own
  const bool is_dated = first.date && more.date && std::abs(*more.date - *first.date) <= at_once;
  if (first.seconds != more.seconds || (first.date != more.date && !is_dated)) return false;
  const char begin = more.text[name.size()];
  const bool is_open = text_.find_last_of(".!:") != text_.size() - 1;
  const bool is_split = text_.find('\n') != std::string::npos;
  return is_open && (begin == '(' || (is_split && std::islower(static_cast<unsigned char>(begin)) != 0));
}

// Gathers the lines of a message; what comes behind it is held back.
void KernelLog::read_on(const LogLine& first) {
  text_ = first.text;
  bool is_partial = first.kind == LineKind::partial;
  while (const auto text = line()) {
    const LogLine more = understood(*text);
    if (goes_on(first, more, is_partial)) {
      if (!is_partial) text_ += '\n';
      text_ += more.text;
      is_partial = more.kind == LineKind::partial;
      text_.resize(std::min(text_.size(), max_bytes));
    } else if (more.kind == LineKind::message || more.kind == LineKind::partial) {
      held_text_ = more.text;
      held_ = more;
      return;
    }
  }
}

void KernelLog::follow_boots(const LogLine& line) {
  if (bytes_.is_ring()) return;
  constexpr double start = 1;    // s: in it a kernel says how it starts
  constexpr double jitter = 60;  // s: so far messages of several CPUs are never out of order
  bool is_another = line.seconds && seconds_ && *line.seconds + jitter < *seconds_;
  if (line.seconds && line.date) {  // when it booted
    const double booted = *line.date - *line.seconds;
    const bool is_earlier = seconds_ && *line.seconds + start < *seconds_;
    is_another = is_another || (is_earlier && booted_ && booted > *booted_ + jitter);
    booted_ = booted;
  }
  if (is_of_objects_ && !objects_.boot().empty()) {
    is_another = is_another || (!boot_id_.empty() && boot_id_ != objects_.boot());
    boot_id_ = objects_.boot();
  }
  if (is_first_message(line.text) && line.seconds.value_or(0) < start && seconds_.value_or(start) >= start)
    is_another = is_another || messages_of_boot_ > 0;
  if (is_another) {
    ++boot_;
    messages_of_boot_ = 0;
    seconds_.reset();
  }
  if (line.seconds) seconds_ = std::max(seconds_.value_or(0), *line.seconds);
}

// The ring begins with 0, and what was written over leaves a gap.
void KernelLog::follow(std::uint64_t sequence) {
  if (!next_sequence_)
    lost_before_ = sequence;
  else if (sequence > *next_sequence_)
    lost_meanwhile_ += sequence - *next_sequence_;
  next_sequence_ = sequence + 1;
}

std::optional<std::string_view> KernelLog::line() {
  line_.clear();
  bool is_begun = false;
  while (!rest_.empty() || !(rest_ = bytes_.next()).empty()) {
    is_begun = true;
    const auto end = rest_.find('\n');
    const auto part = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    const bool is_whole = end != std::string_view::npos;
    if (is_whole && line_.empty() && part.size() <= max_bytes) return part;
    line_.append(part.substr(0, max_bytes + 1 - line_.size()));
    if (is_whole) break;
  }
  if (!is_begun) return std::nullopt;
  if (line_.size() > max_bytes) ++cut_lines_;
  return std::string_view(line_).substr(0, max_bytes);
}

}  // namespace muster::topology
