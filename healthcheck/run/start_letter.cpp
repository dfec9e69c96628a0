// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/start_letter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view start_of_waiting = "muster waits for MPI on ";

}  // namespace

std::string letter_of_waiting(std::span<const std::string> addresses) {
  return fmt::format("{}{}\n", start_of_waiting, fmt::join(addresses, " "));
}

std::optional<std::vector<std::string>> read_letter_of_waiting(std::string_view letter) {
  if (!letter.starts_with(start_of_waiting)) return std::nullopt;
  const auto addresses = topology::words(letter.substr(start_of_waiting.size()));
  return std::vector<std::string>(addresses.begin(), addresses.end());
}

}  // namespace muster::healthcheck
