// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/node_names.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "topology/bus_id.hpp"

namespace muster::healthcheck::fleet {
namespace {

std::string_view first_label(std::string_view name) { return name.substr(0, name.find('.')); }

// Two names with a domain each are alike only as a whole.
bool are_alike(std::string_view one, std::string_view other) {
  const auto a = topology::lower_case(one);
  const auto b = topology::lower_case(other);
  const bool has_no_domain = a.find('.') == a.npos || b.find('.') == b.npos;
  return a == b || (has_no_domain && first_label(a) == first_label(b));
}

std::vector<std::string> like(std::string_view name, const std::set<std::string>& names) {
  std::vector<std::string> found;
  std::ranges::copy_if(names, std::back_inserter(found), [&](const auto& each) { return are_alike(name, each); });
  return found;
}

}  // namespace

std::map<std::string, std::string> other_names(const std::set<std::string>& expected,
                                               const std::set<std::string>& reported) {
  std::map<std::string, std::string> found;
  for (const auto& name : expected) {
    if (reported.contains(name)) continue;
    const auto named = like(name, reported);
    if (named.size() != 1 || expected.contains(named.front())) continue;
    if (like(named.front(), expected).size() == 1) found.emplace(name, named.front());
  }
  return found;
}

}  // namespace muster::healthcheck::fleet
