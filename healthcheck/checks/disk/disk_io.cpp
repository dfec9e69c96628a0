// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/disk/pace.hpp"
#include "benchmarks/disk/queue.hpp"
#include "benchmarks/disk/workload.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/clock.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/context.hpp"
#include "healthcheck/error.hpp"
#include "topology/block_traffic.hpp"
#include "topology/mounts.hpp"
#include "topology/parsed.hpp"

namespace muster::healthcheck {
namespace {

namespace fs = std::filesystem;

using benchmarks::Direction;
using benchmarks::Pattern;
using benchmarks::Workload;
using results::Labels;
using results::Quantity;
using results::Unit;

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t mebibyte = 1024 * kibibyte;
constexpr std::size_t usual_bytes = 2048 * mebibyte;
constexpr std::size_t usual_least_bytes = 256 * mebibyte;
constexpr std::size_t least_bytes = 64 * mebibyte;  // of blocks of 1 MiB more than are under way at once
constexpr std::size_t most_buffer_bytes = 32 * mebibyte;
constexpr double least_free_share = 0.1;
constexpr std::array<std::string_view, 4> no_disks = {"tmpfs", "ramfs", "overlay", "devtmpfs"};

// A workload, and its part of the time.
struct Step {
  Workload workload;
  double share = 0;
};

constexpr Step step(Direction direction, Pattern pattern, std::size_t bytes, std::size_t depth, double share) {
  return {.workload = {.direction = direction, .pattern = pattern, .block_bytes = bytes, .depth = depth},
          .share = share};
}

// The first writes what all others read.
constexpr std::array steps = {
    step(Direction::write, Pattern::sequential, mebibyte, 32, 0.16),
    step(Direction::read, Pattern::sequential, mebibyte, 32, 0.12),
    step(Direction::read, Pattern::random, 4 * kibibyte, 1, 0.1),
    step(Direction::read, Pattern::random, 4 * kibibyte, 64, 0.12),
    step(Direction::write, Pattern::random, 4 * kibibyte, 1, 0.1),
    step(Direction::write, Pattern::random, 4 * kibibyte, 64, 0.12),
};
constexpr double share_of_pace = 0.28;
constexpr double usual_seconds = 7;
constexpr double seconds_in_full = 70;

// What the options say.
struct Settings {
  std::vector<fs::path> paths;
  std::optional<std::size_t> bytes;
  std::size_t reserve_bytes = 0;
  std::optional<double> seconds;
  std::optional<double> reads_per_second;
};

// One folder's facts.
class Folder {
 public:
  Folder(Context& context, fs::path path, const Settings& settings)
      : context_(context), path_(std::move(path)), settings_(settings), labels_({{"path", path_.string()}}) {}

  // Why it could not be measured; empty where it was.
  std::string measure() {
    std::string reason;
    try {
      look();
      const benchmarks::OwnFile file(path_, size());
      begin(file);
      benchmarks::Area area(file);
      for (const auto& [workload, share] : steps) run(area, workload, time(share));
      keep_pace(area);
      verify(area);
    } catch (const benchmarks::TransferError& error) {
      failed_ = true;
      reason = error.what();
    } catch (const benchmarks::Error& error) {
      reason = error.what();
    }
    context_.add("disk_io.errors", results::count(failed_ ? 1 : 0), labels_);
    context_.add("disk_io.path", reason.empty() ? "measured" : reason, labels_);
    return reason.empty() ? reason : fmt::format("{}: {}", path_.string(), reason);
  }

  // Whether the disk is the reason.
  bool failed() const { return failed_; }

 private:
  std::chrono::nanoseconds time(double share) const {
    const double usual = context_.tier() == results::Tier::full ? seconds_in_full : usual_seconds;
    return ticks(share * settings_.seconds.value_or(usual));
  }

  void say(std::string_view what) { context_.phase(fmt::format("{}: {}", path_.string(), what)); }

  void look() {
    say("looking at the file system");
    context_.add("disk_io.stale_files", results::count(benchmarks::remove_stale_files(path_)), labels_);
    const auto mounts = topology::parsed(context_.sysfs(), "proc/self/mountinfo", topology::mounts);
    const auto mount = topology::mount_above(mounts.value_or(std::vector<topology::Mount>()), path_.string());
    if (!mount) throw benchmarks::Error("it is not known which file system it lies on");
    context_.add("disk_io.filesystem", mount->type, labels_);
    if (std::ranges::find(no_disks, mount->type) != no_disks.end())
      throw benchmarks::Error(fmt::format("it is on {}, which is not a disk", mount->type));
  }

  std::size_t size() const {
    const auto room = benchmarks::room(path_);
    const auto kept =
        std::max(least_free_share * static_cast<double>(room.bytes), static_cast<double>(settings_.reserve_bytes));
    const double most = static_cast<double>(room.available) - kept;
    const auto least = settings_.bytes.value_or(usual_least_bytes);
    if (most < static_cast<double>(least))
      throw benchmarks::Error(
          fmt::format("a file of {} would leave less than {} of {} free", text(least), text(kept), text(room.bytes)));
    return std::min(settings_.bytes.value_or(usual_bytes), static_cast<std::size_t>(most)) / mebibyte * mebibyte;
  }

  template <typename Number>
  static std::string text(Number bytes) {
    return results::to_text(Quantity{static_cast<double>(bytes), Unit::byte});
  }

  void begin(const benchmarks::OwnFile& file) {
    device_ = file.device_number();
    if (const auto name = context_.sysfs().link_name("sys/dev/block/" + device_)) labels_.emplace("device", *name);
    engine_ = benchmarks::usable_engine(most_buffer_bytes);
    context_.add("disk_io.engine", engine_.words, labels_);
    context_.add("disk_io.file_size", Quantity{static_cast<double>(file.data_bytes()), Unit::byte}, labels_);
  }

  static Labels of(const Workload& workload, Labels labels) {
    labels.emplace("pattern", fmt::format("{}_{}", to_text(workload.pattern), to_text(workload.direction)));
    labels.emplace("block", std::to_string(workload.block_bytes));
    labels.emplace("depth", std::to_string(workload.depth));
    return labels;
  }

  void run(benchmarks::Area& area, const Workload& workload, std::chrono::nanoseconds time) {
    const auto labels = of(workload, labels_);
    const bool random = workload.pattern == Pattern::random;
    const std::string metric = random ? "disk_io.rate" : "disk_io.bandwidth";
    say(fmt::format("{} {}, depth {}", to_text(workload.pattern), to_text(workload.direction), workload.depth));
    const auto before = traffic();
    const auto end = std::min(std::chrono::steady_clock::now() + time, context_.deadline());
    const auto worked = benchmarks::work(area, engine_, workload, context_.goal(metric, labels), {.end = end});
    add_through_device(before, workload.direction, worked.bytes, labels);
    const auto summary = results::summarize(worked.rates.samples);
    context_.add({.metric = metric,
                  .value = Quantity{summary.median, worked.rates.samples.unit},
                  .labels = labels,
                  .summary = summary,
                  .stopping = worked.rates.stopping,
                  .limit = {}});
    add_latency(worked.latency, labels);
    context_.add("disk_io.cpu_time",
                 Quantity{worked.cpu_seconds / static_cast<double>(worked.operations), Unit::second}, labels);
  }

  void keep_pace(benchmarks::Area& area) {
    Labels labels = labels_;
    labels.emplace("pattern", "data_loader");
    benchmarks::Paced paced;
    paced.per_second = settings_.reads_per_second.value_or(paced.per_second);
    paced.time = time(share_of_pace);
    say(fmt::format("data loader, {:.0f} reads per second", paced.per_second));
    const auto before = traffic();
    const auto kept = benchmarks::keep_pace(area, engine_, paced);
    add_through_device(before, Direction::read, static_cast<double>(kept.latency.n() * paced.block_bytes), labels);
    context_.add("disk_io.rate", Quantity{kept.per_second, Unit::hertz}, labels);
    add_latency(kept.latency, labels);
  }

  void verify(benchmarks::Area& area) {
    say("verifying");
    benchmarks::verify(area, engine_);
    const auto wrong = area.wrong();
    if (wrong.count > 0) context_.add("disk_io.first_wrong", wrong.first, labels_);
    context_.add("disk_io.wrong_blocks", results::count(wrong.count), labels_);
    context_.add("disk_io.verified", Quantity{static_cast<double>(area.written_bytes()), Unit::byte}, labels_);
  }

  void add_latency(const results::Histogram& latency, const Labels& labels) {
    constexpr std::array<std::pair<const char*, double>, 4> shares = {
        {{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}}};
    std::vector<results::Measurement> facts;
    const auto add = [&](const char* name, double seconds) {
      Labels of_share = labels;
      of_share.emplace("percentile", name);
      facts.push_back(
          {.metric = "disk_io.latency", .value = Quantity{seconds, Unit::second}, .labels = std::move(of_share)});
    };
    for (const auto& [name, share] : shares) add(name, latency.quantile_seconds(share));
    add("max", latency.maximum_seconds());
    context_.add(std::move(facts));
  }

  std::optional<topology::BlockTraffic> traffic() const { return topology::block_traffic(context_.sysfs(), device_); }

  // How much of the bytes that were claimed the device itself has counted; others may have moved some, too.
  void add_through_device(const std::optional<topology::BlockTraffic>& before, Direction direction, double bytes,
                          const Labels& labels) {
    const auto after = traffic();
    if (!before || !after) return;
    const auto moved = direction == Direction::read ? after->read_bytes - before->read_bytes
                                                    : after->written_bytes - before->written_bytes;
    context_.add("disk_io.through_device", Quantity{static_cast<double>(moved) / bytes}, labels);
  }

  Context& context_;
  fs::path path_;
  const Settings& settings_;
  Labels labels_;
  std::string device_;
  benchmarks::Engine engine_;
  bool failed_ = false;
};

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
    line.add("--path", settings_.paths,
             "Folder on the disk to measure, with a file of its own; repeatable (default: the working folder)");
    line.add_bytes("--size", settings_.bytes, least_bytes,
                   "Size of that file (default: 2G, or what there is room for)");
    line.add_bytes("--reserve", settings_.reserve_bytes, 0,
                   "Leave so much free; a tenth of the file system in any case");
    line.add_positive("--seconds", settings_.seconds, "Time for all that is measured (default: 7, in tier full 70)");
    line.add_positive("--reads-per-second", settings_.reads_per_second,
                      "What the data loader asks for (default: 10000)");
  }

  void expect_possible(const Context&) const override {
    for (const auto& path : settings_.paths) {
      std::error_code error;
      if (!fs::is_directory(path, error))
        throw UsageError(
            fmt::format("--path {}: {}; give a folder, in which a new file is made and nothing else is written",
                        path.string(), error ? error.message() : "is not a folder"));
    }
  }

  // A folder that somebody named must be measured; the working folder, where it can be.
  void run(Context& context) override {
    std::vector<std::string> reasons;
    bool failed = false;
    for (const auto& path : settings_.paths.empty() ? std::vector{fs::current_path()} : settings_.paths) {
      Folder folder(context, fs::canonical(path), settings_);
      if (auto reason = folder.measure(); !reason.empty()) reasons.push_back(std::move(reason));
      failed = failed || folder.failed();
    }
    const auto all = fmt::format("{}", fmt::join(reasons, "; "));
    if (!reasons.empty() && settings_.paths.empty() && !failed) throw Skip(all);
    if (!reasons.empty()) throw std::runtime_error(all);
  }

 private:
  Settings settings_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<DiskIo>(); }

}  // namespace muster::healthcheck
