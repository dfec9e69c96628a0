// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/disk/disk_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/disk/queue.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/host/team.hpp"
#include "healthcheck/clock.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/error.hpp"
#include "topology/mounts.hpp"
#include "topology/parsed.hpp"

namespace muster::healthcheck {
namespace {

namespace fs = std::filesystem;

// What happens to each folder now, as the phase of the check: the one that hangs is in it.
class Progress {
 public:
  explicit Progress(Context& context) : context_(context) {}

  void say(const fs::path& folder, std::string_view what) {
    const std::lock_guard lock(mutex_);
    now_[folder] = what;
    tell();
  }
  void end(const fs::path& folder) {
    const std::lock_guard lock(mutex_);
    now_.erase(folder);
    tell();
  }

 private:
  void tell() {
    std::vector<std::string> all;
    for (const auto& [folder, what] : now_) all.push_back(fmt::format("{}: {}", folder.string(), what));
    context_.phase(fmt::format("{}", fmt::join(all, "; ")));
  }

  Context& context_;
  std::mutex mutex_;
  std::map<fs::path, std::string> now_;
};

// What tells disks apart; a folder that cannot be looked at is on one of its own.
std::string disk_of(const fs::path& folder) {
  try {
    return benchmarks::device_number(folder);
  } catch (const benchmarks::Error&) {
    return folder.string();
  }
}

constexpr double more_in_full = 10;

fs::path full_name(const fs::path& folder) {
  std::error_code error;
  auto full = fs::canonical(folder, error);
  return error ? folder : full;
}

}  // namespace

void DiskCheck::add_options(CommandLine& line) {
  line.add("--path", paths_,
           "Folder on the disk to measure, with a file of its own; repeatable (default: the scratch mounts of the "
           "profile, else the working folder)");
  line.add_bytes("--size", settings_.bytes, least_file_bytes,
                 "Size of that file (default: 2G, or what there is room for)");
  line.add_bytes("--reserve", settings_.reserve_bytes, 0, "Leave so much free; a tenth of the file system in any case");
  line.add_positive("--seconds", settings_.seconds,
                    fmt::format("Time for all that is measured (default: {}, in tier full {})", usual_seconds_,
                                usual_seconds_ * more_in_full));
}

void DiskCheck::expect_possible(const Context& /*context*/) const {
  for (const auto& path : paths_) {
    std::error_code error;
    if (!fs::is_directory(path, error))
      throw UsageError(
          fmt::format("--path {}: {}; give a folder, in which a new file is made and nothing else is written",
                      path.string(), error ? error.message() : "is not a folder"));
  }
}

void DiskCheck::run(Context& context) {
  const auto [paths, are_named] = folders(context);
  std::vector<std::string> reasons;
  bool failed = false;
  for (const auto& outcome : measure_all(context, paths)) {
    if (!outcome.reason.empty()) reasons.push_back(outcome.reason);
    failed = failed || outcome.failed;
  }
  if (reasons.empty()) return;
  const auto all = fmt::format("{}", fmt::join(reasons, "; "));
  if (!are_named && !failed) throw Skip(all);
  throw std::runtime_error(all);
}

std::string DiskCheck::metric(std::string_view subject) const { return fmt::format("{}.{}", name_, subject); }

DiskCheck::Folders DiskCheck::folders(Context& context) const {
  if (!paths_.empty()) return {.paths = paths_, .are_named = true};
  if (!context.scratch_mounts().empty()) return {.paths = mounted(context), .are_named = true};
  return {.paths = {fs::current_path()}};
}

std::vector<fs::path> DiskCheck::mounted(Context& context) const {
  std::vector<fs::path> found;
  const auto mounts = topology::parsed(context.sysfs(), "proc/self/mountinfo", topology::mounts);
  for (const auto& wanted : context.scratch_mounts())
    if (mounts && std::ranges::find(*mounts, wanted, &topology::Mount::point) != mounts->end())
      found.emplace_back(wanted);
  if (!found.empty()) return found;
  const auto reason = fmt::format("no scratch disk is mounted at {}; mount it, or name a folder on it with --path",
                                  fmt::join(context.scratch_mounts(), " or "));
  context.add(metric("path"), reason);
  throw std::runtime_error(reason);
}

std::chrono::nanoseconds DiskCheck::time(const Context& context, double share) const {
  const double usual = context.tier() == results::Tier::full ? more_in_full * usual_seconds_ : usual_seconds_;
  return ticks(share * settings_.seconds.value_or(usual));
}

DiskCheck::Outcome DiskCheck::outcome_of(Context& context, const fs::path& folder, const Say& say) const {
  results::Labels labels = {{"path", folder.string()}};
  if (const auto device = context.sysfs().link_name("sys/dev/block/" + disk_of(folder)))
    labels.emplace("device", *device);
  Outcome outcome;
  try {
    measure(context, folder, labels, say);
  } catch (const benchmarks::TransferError& error) {
    outcome = {.reason = error.what(), .failed = true};
  } catch (const benchmarks::Error& error) {
    outcome.reason = error.what();
  }
  context.add(metric("errors"), results::count(outcome.failed ? 1 : 0), labels);
  context.add(metric("path"), outcome.reason.empty() ? "measured" : outcome.reason, labels);
  if (!outcome.reason.empty()) outcome.reason = fmt::format("{}: {}", folder.string(), outcome.reason);
  return outcome;
}

// Disks side by side, the folders of one disk one after the other.
std::vector<DiskCheck::Outcome> DiskCheck::measure_all(Context& context, const std::vector<fs::path>& paths) const {
  Progress progress(context);
  std::map<std::string, std::vector<fs::path>> by_disk;
  for (const auto& path : paths) {
    progress.say(path, "looking at it");
    by_disk[disk_of(path)].push_back(full_name(path));
    progress.end(path);
  }
  std::vector<std::vector<fs::path>> disks;
  for (auto& [device, folders] : by_disk) disks.push_back(std::move(folders));
  std::mutex mutex;
  std::vector<Outcome> outcomes;
  benchmarks::Team(disks.size()).run([&](std::size_t disk) {
    for (const auto& folder : disks[disk]) {
      auto outcome = outcome_of(context, folder, [&](std::string_view what) { progress.say(folder, what); });
      progress.end(folder);
      const std::lock_guard lock(mutex);
      outcomes.push_back(std::move(outcome));
    }
  });
  return outcomes;
}

}  // namespace muster::healthcheck
