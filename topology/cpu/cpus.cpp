// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cpus.hpp"

#include <algorithm>
#include <iterator>

#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {

std::vector<int> Cpus::offline() const {
  std::vector<int> cpus;
  std::ranges::set_difference(present, online, std::back_inserter(cpus));
  return cpus;
}

std::size_t Cpus::missing() const {
  const std::size_t wanted = smt_off ? present.size() / 2 : present.size();
  return wanted - std::min(wanted, online.size());
}

std::optional<Cpus> cpus(const Sysfs& sysfs) {
  const auto online = parsed(sysfs, "sys/devices/system/cpu/online", cpu_list);
  if (!online) return std::nullopt;
  const auto present = parsed(sysfs, "sys/devices/system/cpu/present", cpu_list);
  if (present && present->empty()) sysfs.damaged({"sys/devices/system/cpu/present", "it has no CPU"});
  const auto smt = sysfs.text("sys/devices/system/cpu/smt/control");
  return Cpus{.present = present.value_or(*online), .online = *online, .smt_off = smt == "off" || smt == "forceoff"};
}

std::optional<std::string> cpu_model(std::string_view cpuinfo) {
  const auto model = value_of(cpuinfo, "model name", ':');
  if (!model || model->empty()) return std::nullopt;
  return std::string(*model);
}

}  // namespace muster::topology
