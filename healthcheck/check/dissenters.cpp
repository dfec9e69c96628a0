// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/dissenters.hpp"

#include <map>

#include "results/values/majority.hpp"

namespace muster::healthcheck {

std::vector<Dissenter> dissenters(std::span<const Vote> votes) {
  std::map<std::string, std::vector<std::size_t>> by_model;
  for (std::size_t place = 0; place < votes.size(); ++place) by_model[votes[place].model].push_back(place);
  std::vector<Dissenter> odd;
  for (const auto& [model, places] : by_model) {
    std::vector<results::Value> hashes;
    for (const auto place : places) hashes.emplace_back(votes[place].hash);
    const auto usual = results::majority(hashes);
    if (!usual) continue;
    for (std::size_t index = 0; index < places.size(); ++index)
      if (hashes[index] != hashes[*usual]) odd.push_back({.odd = places[index], .usual = places[*usual]});
  }
  return odd;
}

}  // namespace muster::healthcheck
