// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/tail.hpp"

#include <cerrno>
#include <cstddef>

#include "results/utf8.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t kept = 4096;
constexpr std::size_t at_once = 65536;
constexpr std::string_view blank = " \t\r\n\v\f";

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
  text_.append(bytes, 0, static_cast<std::size_t>(size));
  if (text_.size() > kept) text_.erase(0, text_.size() - kept);
}

std::string last_line(std::string_view text) {
  const auto last = text.find_last_not_of(blank);
  if (last == std::string_view::npos) return {};
  const auto line_break = text.find_last_of('\n', last);
  const auto first = line_break == std::string_view::npos ? 0 : line_break + 1;
  return results::shortened(text.substr(first, last + 1 - first), 300);
}

}  // namespace muster::healthcheck
