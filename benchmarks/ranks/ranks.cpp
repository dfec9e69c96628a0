// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/error.hpp"
#include "benchmarks/ranks/packed.hpp"

namespace muster::benchmarks {

std::vector<std::string> all_gather(Ranks& ranks, const std::string& own) {
  std::string packed;  // each text behind its length
  for (const auto& text : ranks.gather(own)) packed += fmt::format("{}:{}", text.size(), text);
  const auto told = ranks.broadcast(packed);
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < told.size();) {
    const auto begin = told.find(':', at) + 1;
    texts.push_back(told.substr(begin, std::stoull(told.substr(at))));
    at = begin + texts.back().size();
  }
  return texts;
}

std::vector<std::vector<double>> gather_numbers(Ranks& ranks, std::span<const double> own) {
  std::vector<std::vector<double>> all;
  for (const auto& text : ranks.gather(packed(own))) all.push_back(unpacked<double>(text));
  return all;
}

void gather_in_parts(Ranks& ranks, std::span<const double> own,
                     const std::function<void(const std::vector<std::vector<double>>& part)>& take) {
  constexpr std::size_t most = 4096;
  for (; !own.empty(); own = own.subspan(std::min(most, own.size()))) {
    const auto part = gather_numbers(ranks, own.first(std::min(most, own.size())));
    if (ranks.rank() == 0) take(part);
  }
}

void together(Ranks& ranks, const std::function<void()>& part) {
  std::string words;
  try {
    part();
  } catch (const std::exception& error) {
    words = error.what();
  }
  const auto all = ranks.gather(words);
  const auto first = std::ranges::find_if(all, [](const std::string& each) { return !each.empty(); });
  if (const auto told = ranks.broadcast(first == all.end() ? "" : *first); !told.empty()) throw Error(told);
}

}  // namespace muster::benchmarks
