// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/tail.hpp"

#include <cerrno>
#include <cstddef>

#include "results/strings/utf8.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t kept = 4096;
constexpr std::size_t kept_of_beginning = 32768;
constexpr std::size_t at_once = 65536;
constexpr std::size_t max_line_length = 300;

// mpirun follows such a line with a page of its own.
bool gives_up(std::string_view line) {
  for (const std::string_view start : {"muster-", "ssh: ", "Host key verification failed", "Connection closed by"})
    if (line.starts_with(start)) return true;
  return line.find("Permission denied (") != std::string_view::npos;
}

}  // namespace

void Tail::read() {
  if (!pipe_) return;
  std::string bytes(at_once, '\0');
  const ssize_t size = ::read(pipe_.number(), bytes.data(), bytes.size());
  if (size < 0 && errno == EAGAIN) return;
  if (size <= 0) {
    pipe_ = Descriptor();
    return;
  }
  bytes.resize(static_cast<std::size_t>(size));
  count_ += bytes.size();
  first_.append(bytes, 0, kept_of_beginning - first_.size());
  text_ += bytes;
  if (text_.size() > kept) text_.erase(0, text_.size() - kept);
}

std::string Tail::said() const {
  const auto more = count_ - first_.size();
  if (more <= text_.size()) return first_ + text_.substr(text_.size() - more);
  return first_ + "\n...\n" + text_;
}

std::string last_words(std::string_view text) {
  std::string_view last;
  while (!text.empty()) {
    const auto line_break = text.find_last_of('\n');
    const auto first = line_break == std::string_view::npos ? 0 : line_break + 1;
    const auto line = topology::trimmed(text.substr(first));
    text = text.substr(0, first == 0 ? 0 : first - 1);
    if (gives_up(line)) return results::shortened(line, max_line_length);
    if (last.empty() && line.find_first_not_of('-') != std::string_view::npos) last = line;
  }
  return last.empty() ? std::string() : results::shortened(last, max_line_length);
}

}  // namespace muster::healthcheck
