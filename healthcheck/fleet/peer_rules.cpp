// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/fleet/fleet_peers.hpp"
#include "healthcheck/judge/fact.hpp"

namespace muster::healthcheck::fleet {
namespace {

// A profile of the installation, which is read when it is asked for first.
struct KnownProfile {
  std::filesystem::path file;
  std::optional<Profile> read{};
};

using Profiles = std::map<std::string, KnownProfile, std::less<>>;

std::optional<double> stated_spread(Profiles& profiles, const RateKind& kind) {
  const auto known = profiles.find(kind.profile);
  if (known == profiles.end()) return std::nullopt;
  auto& [file, profile] = known->second;
  if (!profile) profile = read_profile(file);
  for (const auto& each : profile->expectations)
    if (each.bound.kind == BoundKind::peers && each.check == kind.check && each.metric == kind.metric &&
        matches(kind.labels, each.labels))
      return each.noise;
  return std::nullopt;
}

}  // namespace

PeerRules peer_rules(const Installation& installation) {
  Profiles profiles;
  for (const auto& file : std::filesystem::directory_iterator(installation.profiles))
    if (file.path().extension() == ".json") profiles[file.path().stem()] = {file.path()};
  const Faults faults(installation.faults);
  const auto* fault = faults.find(slower_than_peers);
  return {.spread = [profiles =
                         std::move(profiles)](const RateKind& kind) mutable { return stated_spread(profiles, kind); },
          .action = fault == nullptr ? "" : fault->action};
}

}  // namespace muster::healthcheck::fleet
