// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/hosts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "healthcheck/program/error.hpp"
#include "healthcheck/start/host_names.hpp"
#include "healthcheck/start/hostfile.hpp"
#include "healthcheck/start/job_hosts.hpp"

namespace muster::healthcheck {
namespace {

// What all that a list says of one host comes to.
struct Together {
  const NamedHost* last = nullptr;  // the last that names it
  std::size_t slots = 0;            // a name without a number is one more, as mpirun counts them
  std::size_t times = 0;
  bool has_number = false;
};

bool is_loop_back(std::string_view name) { return name == "localhost" || name == "::1" || name.starts_with("127."); }

// A job on one machine under two names would wait for itself.
void expect_apart(const std::vector<std::string>& names, std::string_view source) {
  const auto first = std::ranges::find_if(names, is_loop_back);
  if (first == names.end()) return;
  const auto second = std::find_if(std::next(first), names.end(), is_loop_back);
  if (second != names.end())
    throw UsageError(fmt::format("{}: {} and {} are one machine, this one; name it once, and give --ranks-on-each 2",
                                 source, *first, *second));
}

std::map<std::string, Together> by_same_name(const std::vector<NamedHost>& hosts) {
  std::map<std::string, Together> all;
  for (const auto& host : hosts) {
    auto& one = all[same_name(host.name)];
    one.last = &host;
    one.slots += host.slots.value_or(1);
    one.times += 1;
    one.has_number = one.has_number || host.slots;
  }
  return all;
}

// The slots of each host. One that is named once and without a number has as many as the others.
std::optional<std::size_t> slots_of_each(const std::vector<NamedHost>& hosts) {
  const auto all = by_same_name(hosts);
  const bool some_have_numbers = std::ranges::any_of(all, [](const auto& each) { return each.second.has_number; });
  const Together* first = nullptr;
  for (const auto& host : hosts) {
    const auto& one = all.at(same_name(host.name));
    if (some_have_numbers && !one.has_number && one.times == 1) continue;
    if (first == nullptr) first = &one;
    if (one.slots != first->slots)
      throw UsageError(fmt::format(
          "{}: {} has {} slot{} where others have {}; a job has as many ranks on each host: give each as many, "
          "or --ranks-on-each",
          one.last->place, one.last->name, one.slots, one.slots == 1 ? "" : "s", first->slots));
  }
  if (first == nullptr || (!some_have_numbers && first->slots == 1)) return std::nullopt;
  return first->slots;
}

std::map<std::string, std::string> users_of(const std::vector<NamedHost>& hosts,
                                            const std::vector<std::string>& names) {
  std::map<std::string, std::string> by_host;
  for (const auto& host : hosts) {
    const auto& user = by_host.emplace(same_name(host.name), host.user).first->second;
    if (user != host.user)
      throw UsageError(fmt::format("{}: {} is named with two users, '{}' and '{}'; leave one away", host.place,
                                   host.name, user, host.user));
  }
  std::map<std::string, std::string> users;
  for (const auto& name : names)
    if (const auto& user = by_host.at(same_name(name)); !user.empty()) users.emplace(name, user);
  return users;
}

HostList listed(const std::vector<NamedHost>& hosts, const std::string& source, bool wants_slots) {
  HostList list{.names = distinct_names(hosts, source), .source = source, .slots = std::nullopt};
  expect_apart(list.names, source);
  if (wants_slots) list.slots = slots_of_each(hosts);
  list.users = users_of(hosts, list.names);
  return list;
}

}  // namespace

HostList find_hosts(const HostRequest& request, const topology::Sysfs& sysfs, const char* const* environment) {
  constexpr const char* hosts_option = "--hosts";
  constexpr const char* file_option = "--hostfile";
  if (!request.hosts.empty() && request.hostfile)
    throw UsageError("--hosts and --hostfile both name the hosts; leave one of them away");
  if (!request.hosts.empty())
    return listed(hosts_of_list(fmt::format("{}", fmt::join(request.hosts, ",")), hosts_option), hosts_option,
                  request.wants_slots);
  if (request.hostfile)
    return listed(read_hostfile(file_option, *request.hostfile),
                  fmt::format("{} {}", file_option, request.hostfile->string()), request.wants_slots);
  if (const auto found = hosts_of_job(request.task, request.wants_slots, sysfs, environment)) {
    auto list = listed(found->hosts, found->source, request.wants_slots);
    list.of_slurm = found->of_slurm;
    return list;
  }
  return {.names = {}, .source = "this machine alone", .slots = std::nullopt};
}

}  // namespace muster::healthcheck
