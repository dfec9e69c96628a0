// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/disk/disk_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "benchmarks/disk/disk_error.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/host/team.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

namespace fs = std::filesystem;

// What happens at each place now, as the phase of the check: the one that hangs is in it.
class Phases {
 public:
  explicit Phases(Context& context) : context_(context) {}

  void say(const fs::path& place, std::string_view what) {
    const std::lock_guard lock(mutex_);
    now_[place] = what;
    tell();
  }
  void end(const fs::path& place) {
    const std::lock_guard lock(mutex_);
    now_.erase(place);
    tell();
  }

 private:
  void tell() {
    std::vector<std::string> all;
    for (const auto& [place, what] : now_) all.push_back(fmt::format("{}: {}", place.string(), what));
    context_.phase(fmt::format("{}", fmt::join(all, "; ")));
  }

  Context& context_;
  std::mutex mutex_;
  std::map<fs::path, std::string> now_;
};

constexpr double more_in_full = 10;

// One that nobody could ask when its mount was looked for.
void expect_no_link(const DiskTarget& place) {
  std::error_code error;
  if (const auto folder = fs::canonical(place.path, error); !error && folder != place.path)
    throw benchmarks::Error(fmt::format("it answered late, and leads to {}: name that", folder.string()));
}

}  // namespace

void DiskCheck::add_options(CommandLine& line) {
  line.add_folder(
      "--path", paths_,
      "Folder on the disk to measure, with a file of its own; repeatable (default: the scratch mounts of the "
      "profile, else the working folder)");
  line.add_bytes("--size", settings_.bytes, min_file_bytes,
                 "Size of that file (default: 2G, or what there is room for)");
  line.add_bytes("--reserve", settings_.reserve_bytes, 0, "Leave so much free; a tenth of the file system in any case");
  line.add_positive("--seconds", settings_.seconds,
                    fmt::format("Time for all that is measured (default: {}, in tier full {})", usual_seconds_,
                                usual_seconds_ * more_in_full));
}

void DiskCheck::expect_possible(const Context& /*context*/) const {
  for (const auto& path : paths_) {
    try {
      folder_at(path);
    } catch (const benchmarks::Error& error) {
      throw UsageError(
          fmt::format("--path {}: {}; give a folder, in which a new file is made and nothing else is written",
                      path.string(), error.what()));
    }
  }
}

double DiskCheck::wanted_seconds(results::Tier tier) const {
  return seconds_of_place(tier) * static_cast<double>(std::max(paths_.size(), std::size_t{1}));
}

void DiskCheck::run(Context& context) {
  std::vector<std::string> reasons;
  bool failed = false;
  const auto all_places = places(context);
  expect_worth(context, all_places);
  for (const auto& outcome : measure_all(context, all_places)) {
    if (!outcome.reason.empty()) reasons.push_back(outcome.reason);
    failed = failed || outcome.failed;
  }
  if (reasons.empty()) return;
  const auto all = fmt::format("{}", fmt::join(reasons, "; "));
  if (!failed && std::ranges::none_of(all_places, &DiskTarget::named)) throw Skip(all);
  throw std::runtime_error(all);
}

std::string DiskCheck::metric(std::string_view subject) const { return results::metric_name(name_, subject); }

std::vector<DiskTarget> DiskCheck::places(Context& context) const {
  std::vector<DiskTarget> found;
  const auto& wanted = context.scratch_mounts();
  const auto at = [&](const fs::path& path) {
    auto place = place_at(context.sysfs(), path);
    if (std::ranges::find(wanted, place.mount) != wanted.end()) place.labels.emplace("scratch", "yes");
    return place;
  };
  for (const auto& path : paths_) found.push_back(at(folder_at(path)));
  if (!found.empty()) return found;
  if (wanted.empty()) {
    found.push_back(at(fs::current_path()));
    found.back().named = false;
    return found;
  }
  for (const auto& point : wanted)
    if (auto place = at(point);
        place.mount == point && std::ranges::find(found, place.device, &DiskTarget::device) == found.end())
      found.push_back(std::move(place));
  if (!found.empty()) return found;
  const auto reason = fmt::format("no scratch disk is mounted at {}; mount it, or name a folder on it with --path",
                                  fmt::join(wanted, " or "));
  context.add(metric("path"), reason);
  throw std::runtime_error(reason);
}

double DiskCheck::seconds_of_place(results::Tier tier) const {
  return settings_.seconds.value_or(tier == results::Tier::full ? more_in_full * usual_seconds_ : usual_seconds_);
}

Timetable DiskCheck::timetable(const Context& context) const {
  return Timetable(ticks(seconds_of_place(context.tier())));
}

DiskCheck::Outcome DiskCheck::outcome_of(Context& context, const DiskTarget& place,
                                         const benchmarks::disk::Engine& engine, const Say& say) const {
  Outcome outcome;
  try {
    context.add(metric("engine"), engine.words, place.labels);
    say("looking at the file system");
    expect_no_link(place);
    measure(context, place, engine, say);
  } catch (const benchmarks::disk::DiskError& error) {
    outcome = {.reason = error.what(), .failed = !is_remote(place)};
  } catch (const benchmarks::Error& error) {
    outcome.reason = error.what();
  }
  const bool is_measured = outcome.reason.empty();
  if (is_measured || outcome.failed)
    context.add(metric("errors"), results::count(outcome.failed ? 1 : 0), place.labels);
  if (is_measured || outcome.failed || place.named)
    context.add(metric("path"), is_measured ? "measured" : outcome.reason, place.labels);
  if (!is_measured) outcome.reason = fmt::format("{}: {}", place.path.string(), outcome.reason);
  return outcome;
}

// Drives side by side, the places of one drive one after the other.
std::vector<DiskCheck::Outcome> DiskCheck::measure_all(Context& context, const std::vector<DiskTarget>& places) const {
  const auto groups = by_drives(context.sysfs(), places);
  const auto engine = benchmarks::disk::usable_engine(buffer_bytes(context, places));
  Phases phases(context);
  std::mutex mutex;
  std::vector<Outcome> outcomes;
  benchmarks::host::Team(groups.size()).run([&](std::size_t group) {
    for (const auto& place : groups[group]) {
      auto outcome = outcome_of(context, place, engine, [&](std::string_view what) { phases.say(place.path, what); });
      phases.end(place.path);
      const std::lock_guard lock(mutex);
      outcomes.push_back(std::move(outcome));
    }
  });
  return outcomes;
}

}  // namespace muster::healthcheck
