// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/start_letter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view start_of_waiting = "muster waits for MPI on ";
constexpr std::string_view before_told = "over";

}  // namespace

std::string letter_of_waiting(const WaitingHost& host) {
  return fmt::format("{}{} {} {}\n", start_of_waiting, fmt::join(host.addresses, " "), before_told,
                     fmt::join(host.told, " "));
}

std::optional<WaitingHost> read_letter_of_waiting(std::string_view letter) {
  if (!letter.starts_with(start_of_waiting)) return std::nullopt;
  WaitingHost host;
  auto* place = &host.addresses;
  for (const auto word : topology::words(letter.substr(start_of_waiting.size())))
    if (word == before_told)
      place = &host.told;
    else
      place->emplace_back(word);
  return host;
}

}  // namespace muster::healthcheck
