// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cpu_mask.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <ranges>

namespace muster::topology {
namespace {

constexpr int word_bits = 32;
constexpr std::size_t max_words = 1024 / word_bits;

std::optional<std::uint32_t> hex_word(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint32_t word = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), word, 16);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return word;
}

}  // namespace

std::optional<std::vector<int>> cpus_of_mask(std::string_view mask) {
  std::vector<std::uint32_t> words;
  for (const auto part : std::views::split(mask, ',')) {
    const auto word = hex_word(std::string_view(part.begin(), part.end()));
    if (!word || words.size() == max_words) return std::nullopt;
    words.push_back(*word);
  }
  std::vector<int> cpus;
  int first = 0;
  for (const std::uint32_t word : words | std::views::reverse) {
    for (int bit = 0; bit < word_bits; ++bit)
      if ((word >> bit & 1U) != 0) cpus.push_back(first + bit);
    first += word_bits;
  }
  if (words.empty()) return std::nullopt;
  return cpus;
}

std::string cpu_mask(std::span<const int> cpus, int cpu_count) {
  const int highest = cpus.empty() ? 0 : cpus.back();
  std::vector<std::uint32_t> words(static_cast<std::size_t>(std::max(cpu_count - 1, highest) / word_bits + 1));
  for (const int cpu : cpus)
    words[words.size() - 1 - static_cast<std::size_t>(cpu / word_bits)] |= 1U << cpu % word_bits;
  return fmt::format("{:08x}", fmt::join(words, ","));
}

}  // namespace muster::topology
