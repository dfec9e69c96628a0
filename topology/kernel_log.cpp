// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include "topology/error.hpp"

namespace muster::topology {
namespace {

constexpr double microseconds_per_second = 1e6;

// A number at the beginning of the text, which then begins behind it and behind `end`.
template <class Number>
std::optional<Number> taken(std::string_view& text, char end) {
  Number number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop == text.data() + text.size() || *stop != end) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return number;
}

// "6,339,5140900,-;text": priority, sequence, microseconds, flags and what later kernels add.
std::optional<KernelMessage> record(std::string_view line) {
  const auto priority = taken<unsigned>(line, ',');
  const auto sequence = priority ? taken<std::uint64_t>(line, ',') : std::nullopt;
  const auto microseconds = sequence ? taken<std::uint64_t>(line, ',') : std::nullopt;
  const auto text = line.find(';');
  if (!microseconds || text == std::string_view::npos) return std::nullopt;
  return KernelMessage{.sequence = sequence,
                       .seconds = static_cast<double>(*microseconds) / microseconds_per_second,
                       .text = line.substr(text + 1)};
}

// "[    5.140900] text"
std::optional<KernelMessage> stamped(std::string_view line) {
  if (!line.starts_with('[')) return std::nullopt;
  line.remove_prefix(std::min(line.find_first_not_of(' ', 1), line.size()));
  const auto seconds = taken<double>(line, ']');
  if (!seconds) return std::nullopt;
  line.remove_prefix(line.starts_with(' ') ? 1 : 0);
  return KernelMessage{.sequence = {}, .seconds = seconds, .text = line};
}

// Without "<6>", and without what a system log puts in front: time, host and "kernel: ".
std::string_view own_part(std::string_view line) {
  constexpr std::string_view tag = " kernel: ";
  constexpr std::size_t most_in_front = 128;
  if (line.starts_with('[')) return line;
  if (line.starts_with('<')) {
    auto rest = line.substr(1);
    return taken<unsigned>(rest, '>') ? rest : line;
  }
  const auto at = line.substr(0, most_in_front).find(tag);
  return at == std::string_view::npos ? line : line.substr(at + tag.size());
}

}  // namespace

std::optional<KernelMessage> kernel_message(std::string_view line) {
  if (line.empty() || line.starts_with(' ')) return std::nullopt;
  if (auto found = record(line)) return found;
  const auto own = own_part(line);
  if (auto found = stamped(own)) return found;
  return KernelMessage{.sequence = {}, .seconds = {}, .text = own};
}

KernelLog::KernelLog(std::filesystem::path file)
    : file_(std::move(file)), descriptor_(open(file_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (descriptor_) return;
  const bool is_refused = errno == EPERM || errno == EACCES;
  throw Error(file_.string(), std::generic_category().message(errno) +
                                  (is_refused ? "; it takes root, or CAP_SYSLOG and a file that may be read" : ""));
}

std::optional<KernelMessage> KernelLog::next() {
  while (true) {
    const auto text = line();
    if (!text) return std::nullopt;
    const auto message = kernel_message(*text);
    if (!message) continue;
    ++messages_;
    if (message->sequence) follow(*message->sequence);
    return message;
  }
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
  while (!rest_.empty() || fill()) {
    const auto end = rest_.find('\n');
    const auto part = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    const bool is_whole = end != std::string_view::npos;
    if (is_whole && line_.empty() && part.size() <= most_bytes) return part;
    line_.append(part.substr(0, most_bytes + 1 - line_.size()));
    if (is_whole) break;
  }
  if (line_.empty()) return std::nullopt;
  if (line_.size() > most_bytes) ++cut_lines_;
  return std::string_view(line_).substr(0, most_bytes);
}

// Whether there is more. The ring gives a record at a time, and EPIPE where it has written over the next one.
bool KernelLog::fill() {
  while (true) {
    const auto got = read(descriptor_.number(), block_.data(), block_.size());
    if (got >= 0) {
      rest_ = {block_.data(), static_cast<std::size_t>(got)};
      return got > 0;
    }
    if (errno == EAGAIN) return false;
    if (errno != EINTR && errno != EPIPE)
      throw Error(file_.string(), "cannot be read: " + std::generic_category().message(errno));
  }
}

}  // namespace muster::topology
