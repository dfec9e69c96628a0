// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/compare/matches.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/start/host_names.hpp"

namespace muster::healthcheck::compare {
namespace {

using results::Labels;
using results::Report;

// Where a device sits and which one it is, and what a run was told to use; a device also has a name or a number.
constexpr std::array<std::string_view, 8> addresses{"address", "guid",   "gpu_uuid",    "partner_guid",
                                                    "pci",     "serial", "partner_pci", "board_id"};
constexpr std::array<std::string_view, 4> incidentals{"device", "model", "path", "scratch"};

using Key = std::tuple<std::string, std::string, Labels>;

Key key_of(const Place& place, int without) {
  Labels labels = place.labels;
  std::erase_if(labels, [&](const auto& label) {
    return (without >= 1 && std::ranges::find(addresses, label.first) != addresses.end()) ||
           (without >= 2 && std::ranges::find(incidentals, label.first) != incidentals.end());
  });
  return {place.check, place.metric, std::move(labels)};
}

using Groups = std::map<Key, std::vector<std::size_t>>;

Groups groups_of(std::span<const Place> places, const std::vector<bool>& is_matched, int without) {
  Groups groups;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!is_matched[i]) groups[key_of(places[i], without)].push_back(i);
  return groups;
}

// The numbers of GPUs by their PCI addresses.
std::map<std::string, std::string> gpus_by_address(const Report& report) {
  std::map<std::string, std::string> gpus;
  for (const auto& run : report.checks)
    for (const auto& measurement : run.measurements) {
      const auto gpu = measurement.labels.find("gpu"), pci = measurement.labels.find("pci");
      if (gpu != measurement.labels.end() && pci != measurement.labels.end()) gpus.emplace(pci->second, gpu->second);
    }
  return gpus;
}

std::vector<std::string> hosts_of(const Report& report) {
  std::vector<std::string> names;
  for (const auto& host : report.hosts) names.push_back(host.name);
  return names;
}

std::string fingerprint(const Report& report, std::string_view name) {
  if (report.hosts.size() != 1) return "";
  const auto at = report.hosts.front().fingerprint.find(name);
  return at == report.hosts.front().fingerprint.end() ? "" : at->second;
}

// One machine may have got another name, and two may be called alike where each is a container.
bool is_same_machine_of(const Report& a, const Report& b, const std::vector<std::string>& hosts_a,
                        const std::vector<std::string>& hosts_b) {
  const auto id = fingerprint(a, "virtual_machine_id");
  if (!id.empty() && id == fingerprint(b, "virtual_machine_id")) return true;
  return std::ranges::is_permutation(hosts_a, hosts_b, {}, same_name, same_name);
}

}  // namespace

std::vector<Match> matches(std::span<const Place> a, std::span<const Place> b) {
  constexpr int last_way = 2;
  std::vector<bool> is_matched_a(a.size()), is_matched_b(b.size());
  std::vector<std::optional<std::size_t>> of_a(a.size());
  for (int way = 0; way <= last_way; ++way) {
    const auto groups_b = groups_of(b, is_matched_b, way);
    for (const auto& [key, those] : groups_of(a, is_matched_a, way)) {
      const auto others = groups_b.find(key);
      // Of labels that are not all there only two that can mean nothing else are the same.
      if (others == groups_b.end() || (way > 0 && (those.size() > 1 || others->second.size() > 1))) continue;
      for (std::size_t i = 0; i < std::min(those.size(), others->second.size()); ++i) {
        of_a[those[i]] = others->second[i];
        is_matched_a[those[i]] = true;
        is_matched_b[others->second[i]] = true;
      }
    }
  }
  std::vector<Match> all;
  for (std::size_t i = 0; i < a.size(); ++i) all.push_back({i, of_a[i]});
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!is_matched_b[i]) all.push_back({std::nullopt, i});
  return all;
}

Names::Names(const Report& a, const Report& b) {
  auto hosts_a = hosts_of(a), hosts_b = hosts_of(b);
  several_hosts_ = hosts_a.size() > 1 || hosts_b.size() > 1;
  is_same_ = is_same_machine_of(a, b, hosts_a, hosts_b);
  const auto is_in = [](const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  auto only_a = hosts_a;
  std::erase_if(only_a, [&](const auto& name) { return is_in(hosts_b, name); });
  auto next = only_a.begin();
  for (const auto& name : hosts_b)
    if (!is_in(hosts_a, name) && next != only_a.end()) hosts_.emplace(name, *next++);
  if (several_hosts_) return;
  const auto known = gpus_by_address(a);
  for (const auto& [address, gpu] : gpus_by_address(b))
    if (const auto at = known.find(address); at != known.end()) gpus_.emplace(gpu, at->second);
}

Labels Names::in_a(Labels labels) const {
  if (!several_hosts_) labels.erase("host");
  return labels;
}

Labels Names::in_b(Labels labels) const {
  labels = in_a(std::move(labels));
  const auto rename = [&](std::string_view label, const auto& names) {
    const auto at = labels.find(label);
    if (at == labels.end()) return;
    if (const auto known = names.find(at->second); known != names.end()) at->second = known->second;
  };
  rename("host", hosts_);
  rename("partner", hosts_);
  rename("gpu", gpus_);
  rename("partner", gpus_);
  return labels;
}

Labels component_of(const Labels& labels) {
  Labels component;
  for (const auto& [name, value] : labels)
    if (name != "host" && known_metrics().names_component(name, value)) component.emplace(name, value);
  return component;
}

bool holds_all(const Labels& all, const Labels& some) { return std::ranges::includes(all, some); }

}  // namespace muster::healthcheck::compare
