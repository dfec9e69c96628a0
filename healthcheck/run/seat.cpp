// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/seat.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {

std::string seats_in_words(std::span<const topology::RankPlacement> seats) {
  std::vector<std::string> words;
  for (const auto& seat : seats) words.push_back(topology::to_text(seat.cpus));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string misplacement(std::string_view seats, int rank, std::span<const int> allowed) {
  const auto words = topology::words(seats);
  if (words.empty()) return {};
  const auto wanted = topology::to_text(topology::cpu_list(words[static_cast<std::size_t>(rank) % words.size()]));
  const auto found = topology::to_text(allowed);
  return found == wanted ? std::string() : fmt::format("{} instead of {}", found, wanted);
}

}  // namespace muster::healthcheck
