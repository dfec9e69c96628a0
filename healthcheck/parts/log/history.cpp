// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/log/history.hpp"

#include <algorithm>
#include <set>

namespace muster::healthcheck {

void History::add(const KernelFault& row, const Moment& now, std::string_view text, const std::string& process) {
  const bool is_known = processes_.contains(process) || processes_.size() < max_processes;
  auto& seen = processes_[is_known ? process : ""];
  const bool is_first = !seen.day;
  if (open_ == 0 || is_first || !now.is_near(seen.newest, row.burst_seconds)) {
    if (open_ == 0) began_ = now;
    ++open_;
    ++incidents_;
  }
  seen = {.newest = now, .day = is_first ? now.day().value_or(0) : seen.day};
  newest_ = now;
  meaning_ = row.meaning;
  last_ = text;
  is_by_application_ = row.is_by_application;
  can_point_to_device_ = row.can_point_to_device;
  flaps_from_ = row.flaps_from;
  occurrences_.add(now.seconds ? now.seconds : now.date);
}

void History::end(KernelFault::End how, const Moment& now) {
  if (open_ == 0) return;
  ended_[how] += open_;
  open_ = 0;
  if (how == KernelFault::End::documented) return;
  recoveries_.push_back(now);
  if (recoveries_.size() > max_recoveries) recoveries_.pop_front();
}

std::size_t History::recoveries_of_the_day(const Moment& now) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(recoveries_, [&](const Moment& each) { return now.is_near(each, seconds_of_a_day); }));
}

std::size_t History::open(const Moment& now) const {
  const auto recoveries = recoveries_of_the_day(now);
  return open_ + (flaps_from_ > 0 && recoveries + open_ >= flaps_from_ ? recoveries : 0);
}

std::size_t History::recovered(const Moment& now) const { return open(now) > open_ ? 0 : recoveries_of_the_day(now); }

std::size_t History::ended(KernelFault::End how) const {
  const auto found = ended_.find(how);
  return found == ended_.end() ? 0 : found->second;
}

std::size_t History::days_of_processes() const {
  std::set<long> days;
  for (const auto& [name, process] : processes_)
    if (!name.empty()) days.insert(process.day.value_or(0));
  return days.size();
}

}  // namespace muster::healthcheck
