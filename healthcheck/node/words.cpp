// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/words.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "results/utf8.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view blank = " \t\r\n\v\f";

std::string tail(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) return {};
  const std::streamoff size = stream.tellg();
  stream.seekg(std::max<std::streamoff>(0, size - 4096));
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

std::string last_line(const std::filesystem::path& file) {
  const std::string text = tail(file);
  const auto last = text.find_last_not_of(blank);
  if (last == std::string::npos) return {};
  const auto line_break = text.find_last_of('\n', last);
  const auto first = line_break == std::string::npos ? 0 : line_break + 1;
  return results::shortened(std::string_view(text).substr(first, last + 1 - first), 300);
}

}  // namespace muster::healthcheck
