// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/log/incidents.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "topology/devices/bus_id.hpp"
#include "topology/kernel/parsed.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;

constexpr std::size_t days_of_a_suspect = 3;
constexpr std::size_t max_of_a_wording = 120;  // bytes

// As all checks spell an address: NVIDIA's driver writes "0001:00:00" of the first function, leaves the domain out, or
// gives it eight digits.
std::string bus_id(std::string_view text) {
  auto address = topology::lower_case(text);
  constexpr std::size_t digits = 4;
  const auto domain = std::min(address.find(':'), address.size());
  if (domain > digits) address.erase(0, std::min(address.find_first_not_of('0'), domain - digits));
  for (const auto& whole : {address, address + ".0", "0000:" + address})
    if (topology::is_bus_id(whole)) return whole;
  return address;
}

// Takes out who caused it.
std::string take_process(Labels& labels) {
  std::string process;
  for (const auto* name : {"pid", "program"})
    if (auto node = labels.extract(name)) process += (process.empty() ? "" : " ") + node.mapped();
  return process;
}

bool names_component(std::string_view label) { return label != "xid" && label != "sxid"; }

// Whether both may be the same component: no label says otherwise.
bool agree(const Labels& one, const Labels& other) {
  return std::ranges::none_of(one, [&](const auto& label) {
    const auto found = other.find(label.first);
    return names_component(label.first) && found != other.end() && found->second != label.second;
  });
}

bool share_a_label(const Labels& one, const Labels& other) {
  return std::ranges::any_of(
      one, [&](const auto& label) { return names_component(label.first) && other.contains(label.first); });
}

// Whether what is told of one component holds for the other: it has a name in common, or one of both has none.
bool concerns(const Labels& one, const Labels& other) {
  const auto has_name = [](const Labels& labels) {
    return std::ranges::any_of(labels, [](const auto& label) { return names_component(label.first); });
  };
  return agree(one, other) && (share_a_label(one, other) || !has_name(one) || !has_name(other));
}

}  // namespace

void Incidents::begin_boot(bool is_told_from_its_start) {
  is_told_from_its_start_ = is_told_from_its_start;
  for (const auto& [key, history] : histories_)
    if (earlier_.size() < max_components || earlier_.contains(key)) earlier_[key] += history.messages();
  histories_.clear();
  unknown_.clear();
  at_work_.clear();
}

void Incidents::add(const Catalogue::Hit& hit, const Moment& now, std::string_view text) {
  const KernelFault& row = *hit.row;
  if (row.is_unknown) {
    add_unknown(text);
    return;
  }
  Labels component = hit.labels;
  if (const auto pci = component.find("pci"); pci != component.end()) pci->second = bus_id(pci->second);
  const std::string process = take_process(component);
  if (!row.ends.empty()) end(row, component, now);
  if (row.fault.empty()) return;
  if (auto* const known = cause(row, component, now)) {
    known->add_consequence(now);
    return;
  }
  if (row.is_harmless_at_start && is_told_from_its_start_ && !at_work_.contains(component)) return;
  Key key{row.fault, std::move(component)};
  if (histories_.size() >= max_components && !histories_.contains(key)) key.second.clear();
  histories_[std::move(key)].add(row, now, text, process);
}

void Incidents::add_unknown(std::string_view text) {
  auto words = wording(text);
  if (unknown_.size() >= max_wordings && !unknown_.contains(words)) words = "others";
  auto& entry = unknown_[words];
  ++entry.messages;
  entry.last = text;
}

void Incidents::end(const KernelFault& row, const Labels& component, const Moment& now) {
  if (at_work_.size() < max_components) at_work_.insert(component);
  for (auto& [key, history] : histories_)
    if (std::ranges::find(row.ends, key.first) != row.ends.end() && concerns(component, key.second))
      history.end(row.end, now);
}

History* Incidents::cause(const KernelFault& row, const Labels& component, const Moment& now) {
  if (row.consequence_of.empty()) return nullptr;
  for (auto& [key, history] : histories_)
    if (std::ranges::find(row.consequence_of, key.first) != row.consequence_of.end() &&
        (row.is_of_any_component || concerns(component, key.second)) &&
        now.is_near(history.newest(), seconds_to_consequence))
      return &history;
  return nullptr;
}

std::set<Incidents::Key> Incidents::suspects() const {
  std::set<Key> found;
  const auto is_sibling = [](const Key& one, const Key& other) {
    const auto xid = [](const Key& key) {
      const auto at = key.second.find("xid");
      return at == key.second.end() ? std::string() : at->second;
    };
    return one != other && one.first == other.first && xid(one) == xid(other);
  };
  for (const auto& [key, history] : histories_) {
    if (!history.can_point_to_device() || history.days_of_processes() < days_of_a_suspect) continue;
    if (std::ranges::none_of(histories_, [&](const auto& other) { return is_sibling(key, other.first); }))
      found.insert(key);
  }
  return found;
}

std::string wording(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::string words;
  bool is_number = false;  // a word that begins with a digit
  for (std::size_t i = 0; i < text.size() && words.size() < max_of_a_wording; ++i) {
    const bool begins = i == 0 || !is_word(text[i - 1]);
    if (begins) is_number = is_digit(text[i]);
    const bool is_hidden = is_word(text[i]) && (is_number || is_digit(text[i]));
    if (!is_hidden)
      words += text[i];
    else if (!words.ends_with('#'))
      words += '#';
  }
  return words;
}

}  // namespace muster::healthcheck
