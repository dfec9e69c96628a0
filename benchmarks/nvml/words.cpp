// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/nvml/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace muster::benchmarks::nvml {
namespace {

// By bit. Of an idle GPU clocks are low because it has nothing to do.
constexpr std::size_t idle = 0;
constexpr std::array<std::string_view, 9> reasons = {
    "idle", "application clocks", "power cap",   "hardware slowdown", "sync boost",
    "heat", "heat (hardware)",    "power brake", "display clocks"};

constexpr std::array<std::string_view, 4> states = {"not supported", "not started", "in progress", "completed"};
constexpr std::array<std::string_view, 5> actions = {"none", "reset the GPU", "reboot the node", "drain peers",
                                                     "drain and reset"};

// Two bits each: 1 is yes.
struct Ailment {
  unsigned shift;
  std::string_view words;
};
constexpr std::array<Ailment, 4> ailments = {
    {{0, "degraded bandwidth"}, {2, "route recovery"}, {4, "unhealthy route"}, {6, "recovery after a timeout"}}};
constexpr unsigned two_bits = 3;
constexpr unsigned yes = 1;

// Four bits: 0 is unknown, 1 is none.
constexpr unsigned configuration_shift = 8;
constexpr unsigned four_bits = 15;
constexpr std::array<std::string_view, 8> configurations = {
    "",
    "",
    "wrong system GUID",
    "wrong chassis serial number",
    "no partition",
    "too few NVLinks",
    "firmware that does not fit",
    "wrong location",
};

template <std::size_t Size>
std::string named(const std::array<std::string_view, Size>& names, std::uint64_t number, std::string_view what) {
  if (number < names.size()) return std::string(names.at(number));
  return fmt::format("{} {}", what, number);
}

std::string listed(const std::vector<std::string>& words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string slow_clock_words(std::uint64_t mask) {
  std::vector<std::string> words;
  for (std::size_t bit = 0; bit < std::numeric_limits<std::uint64_t>::digits; ++bit)
    if (bit != idle && (mask >> bit & 1U) != 0) words.push_back(named(reasons, bit, "bit"));
  return listed(words);
}

std::string fabric_state_words(unsigned state) { return named(states, state, "state"); }

std::string fabric_health_words(std::uint32_t mask) {
  std::vector<std::string> words;
  for (const auto& ailment : ailments)
    if ((mask >> ailment.shift & two_bits) == yes) words.emplace_back(ailment.words);
  const auto configuration = mask >> configuration_shift & four_bits;
  if (auto wrong = named(configurations, configuration, "configuration"); !wrong.empty())
    words.push_back(std::move(wrong));
  return listed(words);
}

std::string recovery_action_words(std::uint64_t action) { return named(actions, action, "action"); }

std::string on_or_off(bool on) { return on ? "on" : "off"; }

}  // namespace muster::benchmarks::nvml
