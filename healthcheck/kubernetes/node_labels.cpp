// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/node_labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "results/system/file.hpp"
#include "topology/devices/infiniband.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t longest = 63;
constexpr std::size_t hash_size = 8;
constexpr std::size_t max_records = 200;
constexpr std::size_t max_bytes = 128 << 10;  // annotations of a node are 256 KiB in all, those of others with them
constexpr std::string_view alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view inner = "-_.";
constexpr std::uint16_t default_partition = 0xffff;

bool is_inner(char letter) {
  return alphanumeric.find(letter) != alphanumeric.npos || inner.find(letter) != inner.npos;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_of(alphanumeric);
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_of(alphanumeric) - first + 1);
}

std::string hash(std::string_view text) { return results::sha256(text).substr(0, hash_size); }

// As much of a label as leaves room for the hash of its text.
std::string with_hash(const std::string& label, std::string_view text) {
  const auto start = trimmed(label.substr(0, longest - hash_size - 1));
  return start.empty() ? hash(text) : start + "-" + hash(text);
}

// Two keys that look alike as labels have different names.
std::string name_of(const NodeLabels& made, std::string_view prefix, const std::string& key) {
  const auto label = as_label(key);
  auto name = fmt::format("{}/{}", prefix, label);
  if (!label.empty() && !made.labels.contains(name)) return name;
  return fmt::format("{}/{}", prefix, with_hash(label, key));
}

std::set<std::uint16_t> partitions(const topology::Sysfs& sysfs, const std::vector<topology::Hca>& hcas) {
  std::set<std::uint16_t> found;
  for (const auto& hca : hcas)
    for (const auto& port : hca.ports)
      if (port.link_layer == "InfiniBand")
        for (const auto key : topology::partition_keys(sysfs, hca, port))
          if (topology::is_full_member(key)) found.insert(key);
  if (found.size() > 1) found.erase(default_partition);
  return found;
}

void add_infiniband(NodeLabels& made, const topology::Sysfs& sysfs) {
  const auto hcas = topology::infiniband_hcas(sysfs);
  std::vector<std::string> guids;
  for (const auto& hca : hcas)
    if (!hca.node_guid.empty()) guids.push_back(hca.node_guid);
  if (!hcas.empty()) made.settled.insert(made.settled.end(), {"ib/pkey", "ib/pkeys", "ib/hca-guids"});
  if (!guids.empty()) made.annotations["ib/hca-guids"] = fmt::format("{}", fmt::join(guids, ","));
  std::vector<std::string> keys;
  for (const auto key : partitions(sysfs, hcas)) keys.push_back(fmt::format("{:#06x}", key));
  if (keys.size() == 1) made.labels["ib/pkey"] = keys.front();
  if (keys.size() < 2) return;
  made.annotations["ib/pkeys"] = fmt::format("{}", fmt::join(keys, ","));
  made.problems.push_back(
      fmt::format("the InfiniBand ports are in {} partitions, and so in none that a label can name: {}", keys.size(),
                  fmt::join(keys, ", ")));
}

}  // namespace

std::string as_label(std::string_view text) {
  std::string label(text);
  std::ranges::replace_if(
      label, [](char letter) { return !is_inner(letter); }, '-');
  label = trimmed(label);
  return label.size() <= longest ? label : with_hash(label, text);
}

void add_pool(NodeLabels& made, const topology::HypervPool& pool, std::string_view prefix) {
  made.problems.insert(made.problems.end(), pool.problems.begin(), pool.problems.end());
  if (pool.is_whole) made.settled.push_back(fmt::format("{}/", prefix));
  if (pool.values.size() > max_records)
    made.problems.push_back(
        fmt::format("of {} values of Hyper-V the first {} were taken", pool.values.size(), max_records));
  std::size_t bytes = 0, too_much = 0;
  for (const auto& [key, value] : pool.values | std::views::take(max_records)) {
    const auto name = name_of(made, prefix, key);
    const auto label = as_label(value);
    made.labels[name] = label;
    if (label == value) continue;
    if (bytes + name.size() + value.size() > max_bytes) {
      ++too_much;
      continue;
    }
    bytes += name.size() + value.size();
    made.annotations[name] = value;
  }
  if (too_much > 0)
    made.problems.push_back(
        fmt::format("the texts of {} values of Hyper-V are left out, because all of them are more than {} KiB",
                    too_much, max_bytes >> 10));
}

NodeLabels node_labels(const topology::Sysfs& sysfs, std::string_view prefix) {
  NodeLabels made;
  if (const auto pool = topology::hyperv_pool(sysfs)) add_pool(made, *pool, prefix);
  add_infiniband(made, sysfs);
  return made;
}

}  // namespace muster::healthcheck
