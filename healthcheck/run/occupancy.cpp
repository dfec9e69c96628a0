// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/occupancy.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <thread>

#include "results/strings/utf8.hpp"
#include "topology/cpu/usable_cpus.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t max_users_named = 3;
constexpr double min_named = 0.1;  // of a core

struct User {
  topology::Process process;
  double cores = 0;
};

// What every process used between two looks, most first.
std::vector<User> users(const LoadSnapshot& before, const LoadSnapshot& after, double seconds) {
  std::map<int, double> earlier;
  for (const auto& process : before.processes) earlier[process.pid] = process.cpu_seconds;
  std::vector<User> all;
  for (const auto& process : after.processes)
    all.push_back({.process = process, .cores = (process.cpu_seconds - earlier[process.pid]) / seconds});
  std::ranges::stable_sort(all, std::greater(), &User::cores);
  return all;
}

std::string users_named(const std::vector<User>& foreign) {
  std::string text;
  for (const User& user : foreign) {
    if (user.cores < min_named || &user - foreign.data() >= static_cast<std::ptrdiff_t>(max_users_named)) break;
    text += fmt::format("{}{} (pid {}, {:.0f} % of a core)", text.empty() ? "" : ", ",
                        results::printable(user.process.name), user.process.pid, 100 * user.cores);
  }
  return text;
}

}  // namespace

LoadSnapshot look(const topology::Sysfs& sysfs) {
  return {.when = std::chrono::steady_clock::now(),
          .busy_seconds = topology::busy_seconds(sysfs),
          .processes = topology::processes(sysfs)};
}

Foreign foreign(const LoadSnapshot& before, const LoadSnapshot& after, int self) {
  const double seconds = std::chrono::duration<double>(after.when - before.when).count();
  std::vector<int> own = topology::descendants(after.processes, self);
  own.push_back(self);
  std::vector<User> all = users(before, after, seconds);
  const auto ours = std::ranges::partition(
      all, [&](const User& user) { return std::ranges::find(own, user.process.pid) == own.end(); });
  const double our_cores =
      std::accumulate(ours.begin(), ours.end(), 0.0, [](double sum, const User& user) { return sum + user.cores; });
  all.erase(ours.begin(), ours.end());
  return {.cores = (after.busy_seconds - before.busy_seconds) / seconds - our_cores, .names = users_named(all)};
}

std::string in_use(const Foreign& foreign, std::size_t cpus) {
  if (foreign.cores <= 0.5 * static_cast<double>(cpus)) return {};
  return foreign.names.empty()
             ? fmt::format("processes that cannot be seen from here ({:.1f} of {} CPUs)", foreign.cores, cpus)
             : foreign.names;
}

bool is_idle(const Foreign& foreign, std::size_t cpus) { return foreign.cores <= 0.2 * static_cast<double>(cpus); }

std::string in_use_now(const topology::Sysfs& sysfs) {
  using namespace std::chrono_literals;
  const auto cpus = topology::usable_cpus(sysfs).allowed.size();
  const LoadSnapshot before = look(sysfs);
  Foreign others;
  for (const auto time : {100ms, 200ms}) {
    std::this_thread::sleep_for(time);
    others = foreign(before, look(sysfs), getpid());
    if (is_idle(others, cpus)) break;
  }
  return in_use(others, cpus);
}

}  // namespace muster::healthcheck
