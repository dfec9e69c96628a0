// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/expectations/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include "healthcheck/program/error.hpp"
#include "results/strings/names.hpp"
#include "results/strings/suggest.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

constexpr results::Names<9> bound_names = {"at_least",   "at_most", "equals",   "within",   "one_of",
                                           "efficiency", "peers",   "majority", "no_change"};

}  // namespace

std::string_view to_text(BoundKind kind) { return results::name_of(bound_names, kind); }

std::optional<BoundKind> bound_kind_from(std::string_view text) { return results::named<BoundKind>(bound_names, text); }

Profile common(std::vector<Profile> profiles) {
  Profile all = std::move(profiles.front());
  if (profiles.size() == 1) return all;
  for (const auto& other : profiles | std::views::drop(1)) {
    const auto has = [&](const Expectation& expectation) {
      return std::ranges::find(other.expectations, expectation) != other.expectations.end();
    };
    std::erase_if(all.expectations, std::not_fn(has));
    std::erase_if(all.information, [&](const auto& each) { return !other.information.contains(each.first); });
    if (other.scratch_mounts != all.scratch_mounts) all.scratch_mounts.clear();
    all.name += "+" + other.name;
    all.description += ", or " + other.description;
    all.sha256 += other.sha256;
  }
  all.sha256 = results::sha256(all.sha256);
  return all;
}

void validate(const Profile& profile, const Faults& faults) {
  for (const Expectation& expectation : profile.expectations) {
    if (!expectation.fault_label.empty() || faults.find(expectation.fault) != nullptr) continue;
    std::vector<std::string> codes;
    for (const Fault& fault : faults.all()) codes.push_back(fault.code);
    throw UsageError(fmt::format(
        "profile {}: the expectation of {} names the fault '{}', which is not in the table.{} "
        "muster explain lists all",
        profile.name, expectation.metric, expectation.fault, results::suggestion(expectation.fault, codes)));
  }
}

}  // namespace muster::healthcheck
