// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/compare/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "results/strings/names.hpp"

namespace muster::healthcheck::compare {
namespace {

constexpr results::Names<8> kinds{"worse", "gone", "new", "better", "changed", "noise", "undecided", "same"};
constexpr results::Names<9> subjects{"rate",    "finding", "check", "component", "fact",
                                     "setting", "counter", "node",  "file"};

// How far a rate is beyond its noise; of anything else as far as can be.
double clearness(const Change& change) {
  if (!change.difference || !change.noise) return std::numeric_limits<double>::infinity();
  return std::abs(*change.difference) / *change.noise;
}

// How bad it is now, or was where it is gone.
results::Status badness(const Change& change) {
  const auto& value = change.after ? change.after : change.before;
  const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
  return text == nullptr ? results::Status::skip : results::status_from(*text).value_or(results::Status::skip);
}

// Findings tell more than rates, and these more than what has changed.
int place_of(Subject subject) {
  constexpr std::array order{Subject::node, Subject::finding, Subject::check,   Subject::component, Subject::rate,
                             Subject::file, Subject::setting, Subject::counter, Subject::fact};
  return static_cast<int>(std::ranges::find(order, subject) - order.begin());
}

}  // namespace

std::string_view to_text(Kind kind) { return results::name_of(kinds, kind); }
std::string_view to_text(Subject subject) { return results::name_of(subjects, subject); }

std::size_t count(const Comparison& comparison, Kind kind) {
  return static_cast<std::size_t>(std::ranges::count(comparison.changes, kind, &Change::kind));
}

int exit_code(const Comparison& comparison) {
  return count(comparison, Kind::worse) + count(comparison, Kind::gone) > 0 ? 1 : 0;
}

void sort(std::vector<Change>& changes) {
  std::ranges::stable_sort(changes, {}, [](const Change& change) {
    return std::tuple(change.kind, place_of(change.subject), -static_cast<int>(badness(change)), -clearness(change));
  });
}

std::string summary(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const Kind kind : {Kind::worse, Kind::gone, Kind::fresh, Kind::better, Kind::changed})
    if (const auto number = count(comparison, kind); number > 0)
      parts.push_back(fmt::format("{} {}", number, to_text(kind)));
  auto text =
      parts.empty() ? "nothing is worse, gone, new, better or changed" : fmt::format("{}", fmt::join(parts, ", "));
  const auto rates =
      std::ranges::count_if(comparison.changes, [](const Change& change) { return change.noise.has_value(); });
  if (rates == 0) return text;
  return fmt::format("{}; {} of {} {} within noise, and of {} a loss of 5 % would be named", text,
                     count(comparison, Kind::noise), rates, rates == 1 ? "rate" : "rates", comparison.sensitive);
}

}  // namespace muster::healthcheck::compare
