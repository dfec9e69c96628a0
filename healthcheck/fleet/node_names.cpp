// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/node_names.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "healthcheck/start/host_names.hpp"

namespace muster::healthcheck::fleet {
namespace {

std::string first_label(std::string_view name) { return same_name(name.substr(0, name.find('.'))); }

// Of names with the same first label: two with a domain each are alike only as a whole.
bool are_alike(std::string_view one, std::string_view other) {
  const bool has_no_domain = one.find('.') == one.npos || other.find('.') == other.npos;
  return has_no_domain || same_name(one) == same_name(other);
}

class Names {
 public:
  explicit Names(const std::set<std::string>& names) {
    for (const auto& name : names) by_label_.emplace(first_label(name), &name);
  }

  std::vector<std::string> like(std::string_view name) const {
    std::vector<std::string> found;
    const auto [begin, end] = by_label_.equal_range(first_label(name));
    for (auto each = begin; each != end; ++each)
      if (are_alike(name, *each->second)) found.push_back(*each->second);
    return found;
  }

 private:
  std::unordered_multimap<std::string, const std::string*> by_label_;
};

}  // namespace

const std::string& Spellings::first_of(const std::string& name) {
  return by_name_.try_emplace(same_name(name), name).first->second;
}

std::map<std::string, std::string> other_names(const std::set<std::string>& expected,
                                               const std::set<std::string>& reported) {
  if (std::ranges::includes(expected, reported)) return {};
  const Names all_expected(expected);
  const Names all_reported(reported);
  std::map<std::string, std::string> found;
  for (const auto& name : expected) {
    if (reported.contains(name)) continue;
    const auto named = all_reported.like(name);
    if (named.size() != 1 || expected.contains(named.front())) continue;
    if (all_expected.like(named.front()).size() == 1) found.emplace(name, named.front());
  }
  return found;
}

}  // namespace muster::healthcheck::fleet
