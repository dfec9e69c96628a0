// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/pair_facts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace muster::healthcheck {
namespace {

using results::Labels;
using results::Measurement;

// Labels of an end, and of its partner. The first tell which it is; not everybody has the last.
constexpr std::array<std::pair<const char*, const char*>, 4> names_of_ends = {
    {{"host", "partner"}, {"nic", "partner_nic"}, {"port", "partner_port"}, {"guid", "partner_guid"}}};
constexpr std::size_t names_that_tell = 3;

// Without what its partner is, and without the GUID.
Labels labels_of_end(Labels labels) {
  for (const auto& [own, partners] : names_of_ends) labels.erase(partners);
  labels.erase("guid");
  return labels;
}

// More of it is better.
double merit(const Measurement& pair, Better better) {
  const double value = std::get<results::Quantity>(pair.value).value;
  return better == Better::lower ? -value : value;
}

// A port: its host, adapter and number.
using End = std::array<std::string, names_that_tell>;

std::pair<End, End> ends(const Measurement& pair) {
  const auto label = [&](const char* name) {
    const auto found = pair.labels.find(name);
    return found == pair.labels.end() ? "" : found->second;
  };
  std::pair<End, End> both;
  for (std::size_t at = 0; at < names_that_tell; ++at) {
    both.first[at] = label(names_of_ends[at].first);
    both.second[at] = label(names_of_ends[at].second);
  }
  return both;
}

// The same in whichever direction it was found.
Measurement blamed_on_both(Measurement pair) {
  if (const auto [own, partners] = ends(pair); partners < own) pair.labels = seen_from_partner(std::move(pair.labels));
  const bool is_of_hosts = pair.labels.contains("partner");
  const auto partner = pair.labels.extract(is_of_hosts ? "partner" : "partner_nic");
  pair.labels.at(is_of_hosts ? "host" : "nic") += " " + partner.mapped();
  for (const auto* of_one : {"guid", "partner_guid"}) pair.labels.erase(of_one);
  return pair;
}

}  // namespace

Labels seen_from_partner(Labels labels) {
  for (const auto& [own, partners] : names_of_ends)
    if (labels.contains(partners)) std::swap(labels.at(own), labels.at(partners));
  return labels;
}

Labels with_partner(Labels labels, const Labels& partner) {
  for (const auto& [own, partners] : names_of_ends)
    if (const auto theirs = partner.find(own); theirs == partner.end())
      labels.erase(own);
    else if (labels.contains(own))
      labels.emplace(partners, theirs->second);
  return labels;
}

std::vector<Measurement> middle_pairs(const std::vector<Measurement>& pairs, std::string_view metric, Better better,
                                      std::size_t least) {
  std::map<Labels, std::vector<const Measurement*>> by_end;
  for (const auto& pair : pairs) by_end[labels_of_end(pair.labels)].push_back(&pair);
  std::vector<Measurement> found;
  for (auto& [end, own] : by_end) {
    if (own.size() < least) continue;
    std::ranges::sort(own, {}, [&](const Measurement* pair) { return merit(*pair, better); });
    found.push_back(*own[own.size() / 2]);
    found.back().metric = metric;
  }
  return found;
}

std::vector<Measurement> culprits(const std::vector<Measurement>& broken, std::string_view metric) {
  std::map<End, int> times;
  for (const auto& pair : broken) {
    const auto [host, partner] = ends(pair);
    ++times[host];
    ++times[partner];
  }
  std::map<Labels, Measurement> found;
  for (const auto& pair : broken) {
    const auto [host, partner] = ends(pair);
    Measurement blamed = pair;
    if (times[host] < times[partner]) blamed.labels = seen_from_partner(pair.labels);
    if (times[host] == times[partner]) blamed = blamed_on_both(pair);
    blamed.metric = metric;
    found.emplace(labels_of_end(blamed.labels), blamed);
  }
  std::vector<Measurement> facts;
  for (auto& [culprit, fact] : found) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace muster::healthcheck
