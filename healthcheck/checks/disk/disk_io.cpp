// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/host/team.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/context.hpp"
#include "healthcheck/disk/folder_facts.hpp"
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

  void say(const fs::path& path, std::string_view what) {
    const std::lock_guard lock(mutex_);
    now_[path] = what;
    tell();
  }
  void end(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    now_.erase(path);
    tell();
  }

 private:
  void tell() {
    std::vector<std::string> all;
    for (const auto& [path, what] : now_) all.push_back(fmt::format("{}: {}", path.string(), what));
    context_.phase(fmt::format("{}", fmt::join(all, "; ")));
  }

  Context& context_;
  std::mutex mutex_;
  std::map<fs::path, std::string> now_;
};

// What tells disks apart; a folder that cannot be looked at is on one of its own.
std::string disk_of(const fs::path& path) {
  try {
    return benchmarks::device_number(path);
  } catch (const benchmarks::Error&) {
    return path.string();
  }
}

fs::path full_name(const fs::path& path) {
  std::error_code error;
  auto full = fs::canonical(path, error);
  return error ? path : full;
}

class DiskIo final : public Check {
 public:
  Description describe() const override {
    return {.name = "disk_io",
            .summary = "Bandwidth, operations and latency of a disk by a file of its own, every byte verified",
            .resources = {Resource::disk},
            .tier = results::Tier::quick,
            .typical_seconds = 9};
  }

  void add_options(CommandLine& line) override {
    line.add("--path", paths_,
             "Folder on the disk to measure, with a file of its own; repeatable (default: the scratch mounts of the "
             "profile, else the working folder)");
    line.add_bytes("--size", settings_.bytes, DiskSettings::least_bytes,
                   "Size of that file (default: 2G, or what there is room for)");
    line.add_bytes("--reserve", settings_.reserve_bytes, 0,
                   "Leave so much free; a tenth of the file system in any case");
    line.add_positive("--seconds", settings_.seconds, "Time for all that is measured (default: 7, in tier full 70)");
    line.add_positive("--reads-per-second", settings_.reads_per_second,
                      "What the data loader asks for (default: 10000)");
  }

  void expect_possible(const Context&) const override {
    for (const auto& path : paths_) {
      std::error_code error;
      if (!fs::is_directory(path, error))
        throw UsageError(
            fmt::format("--path {}: {}; give a folder, in which a new file is made and nothing else is written",
                        path.string(), error ? error.message() : "is not a folder"));
    }
  }

  // A folder that somebody named must be measured, as the profile or by hand; the working folder, where it can be.
  void run(Context& context) override {
    auto paths = paths_.empty() ? mounted(context) : paths_;
    const bool may_skip = paths.empty();
    if (paths.empty()) paths.push_back(fs::current_path());
    const auto [reasons, failed] = measure(context, paths);
    const auto all = fmt::format("{}", fmt::join(reasons, "; "));
    if (!reasons.empty() && may_skip && !failed) throw Skip(all);
    if (!reasons.empty()) throw std::runtime_error(all);
  }

 private:
  // The scratch mounts of the profile that are there; none where it names none.
  static std::vector<fs::path> mounted(Context& context) {
    std::vector<fs::path> found;
    const auto mounts = topology::parsed(context.sysfs(), "proc/self/mountinfo", topology::mounts);
    for (const auto& wanted : context.scratch_mounts())
      if (mounts && std::ranges::find(*mounts, wanted, &topology::Mount::point) != mounts->end())
        found.emplace_back(wanted);
    if (found.empty() && !context.scratch_mounts().empty()) {
      const auto reason = fmt::format("no scratch disk is mounted at {}; mount it, or name a folder on it with --path",
                                      fmt::join(context.scratch_mounts(), " or "));
      context.add("disk_io.path", reason);
      throw std::runtime_error(reason);
    }
    return found;
  }

  struct Outcome {
    std::vector<std::string> reasons;  // for which folders were not measured
    bool failed = false;               // a disk is such a reason
  };

  // Disks side by side, the folders of one disk one after the other.
  Outcome measure(Context& context, const std::vector<fs::path>& paths) const {
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
    Outcome outcome;
    benchmarks::Team(disks.size()).run([&](std::size_t disk) {
      for (const auto& path : disks[disk]) {
        FolderFacts folder(context, path, settings_, [&](std::string_view what) { progress.say(path, what); });
        auto reason = folder.measure();
        progress.end(path);
        const std::lock_guard lock(mutex);
        if (!reason.empty()) outcome.reasons.push_back(std::move(reason));
        outcome.failed = outcome.failed || folder.failed();
      }
    });
    return outcome;
  }

  std::vector<fs::path> paths_;
  DiskSettings settings_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<DiskIo>(); }

}  // namespace muster::healthcheck
