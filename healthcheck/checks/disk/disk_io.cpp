// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/checkpoint.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/disk/own_file.hpp"
#include "benchmarks/disk/pace.hpp"
#include "benchmarks/disk/workload.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/sampling/sizes.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/rate_fact.hpp"
#include "healthcheck/parts/disk/disk_check.hpp"
#include "healthcheck/parts/disk/disk_facts.hpp"
#include "healthcheck/parts/disk/disk_target.hpp"
#include "healthcheck/program/command_line.hpp"

namespace muster::healthcheck {
namespace {

namespace disk = benchmarks::disk;
using benchmarks::disk::Access;
using benchmarks::disk::Direction;
using benchmarks::disk::Workload;
using results::Labels;
using results::Quantity;
using results::Unit;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t mebibyte = 1024 * kibibyte;
constexpr std::size_t max_buffer_bytes = 32 * mebibyte;

// A workload, and its part of the time.
struct Step {
  Workload workload;
  double share = 0;
};

constexpr Step step(Direction direction, Access pattern, std::size_t bytes, std::size_t depth, double share) {
  return {.workload = {.direction = direction, .pattern = pattern, .block_bytes = bytes, .depth = depth},
          .share = share};
}

// The first writes what all others read. What is large comes first: it would write over what a small one lost.
constexpr std::array large_steps = {
    step(Direction::write, Access::sequential, mebibyte, 32, 0.14),
    step(Direction::read, Access::sequential, mebibyte, 32, 0.1),
};
constexpr std::array small_steps = {
    step(Direction::read, Access::random, 4 * kibibyte, 1, 0.1),
    step(Direction::read, Access::random, 4 * kibibyte, 64, 0.1),
    step(Direction::write, Access::random, 4 * kibibyte, 1, 0.1),
    step(Direction::write, Access::random, 4 * kibibyte, 64, 0.1),
};
constexpr double share_of_checkpoint = 0.12;
constexpr double share_of_pace = 0.24;

// The facts of one folder's disk, by the data of a file there.
class Facts {
 public:
  Facts(Context& context, disk::Area& area, const DiskTarget& place, const disk::Engine& engine, DiskCheck::Say say)
      : context_(context),
        area_(area),
        device_(place.device),
        labels_(place.labels),
        say_(std::move(say)),
        engine_(engine) {
    context_.add("disk_io.file_size", Quantity{static_cast<double>(area.file().data_bytes()), Unit::byte}, labels_);
  }

  void run(const Workload& workload, Clock::time_point end) {
    const auto labels = labels_of(workload, labels_);
    const bool random = workload.pattern == Access::random;
    const std::string metric = random ? "disk_io.rate" : "disk_io.bandwidth";
    say_(fmt::format("{} {}, depth {}", to_text(workload.pattern), to_text(workload.direction), workload.depth));
    const DeviceBytes counted(context_.sysfs(), device_);
    const auto worked = disk::work(area_, engine_, workload, context_.goal(metric, labels), {.end = end});
    std::vector facts{through_device(counted, workload.direction, worked.bytes, labels),
                      rate_fact(metric, worked.rates, labels)};
    for (auto& fact : latency_facts(worked.latency, labels)) facts.push_back(std::move(fact));
    if (worked.operations > 0)
      facts.push_back({.metric = "disk_io.cpu_time",
                       .value = Quantity{worked.cpu_seconds / static_cast<double>(worked.operations), Unit::second},
                       .labels = labels});
    context_.add(std::move(facts));
  }

  void save_checkpoint(Clock::time_point end) {
    const std::string metric = "disk_io.bandwidth";
    Labels labels = labels_;
    labels.emplace("pattern", "checkpoint");
    say_("checkpoint");
    const DeviceBytes counted(context_.sysfs(), device_);
    const auto saved = disk::save(area_, engine_, {}, context_.goal(metric, labels), {.end = end});
    labels.emplace("size", benchmarks::size_text(saved.block_bytes));
    labels.emplace("writers", std::to_string(saved.writers));
    context_.add(
        {through_device(counted, Direction::write, saved.bytes, labels), rate_fact(metric, saved.rates, labels)});
  }

  void keep_pace(std::optional<double> reads_per_second, Clock::time_point end) {
    Labels labels = labels_;
    labels.emplace("pattern", "data_loader");
    disk::Paced paced;
    paced.per_second = reads_per_second.value_or(paced.per_second);
    paced.time = end - Clock::now();
    say_(fmt::format("data loader, {:.0f} reads per second", paced.per_second));
    const DeviceBytes counted(context_.sysfs(), device_);
    const auto kept = disk::keep_pace(area_, engine_, paced);
    const auto bytes = static_cast<double>(kept.latency.n() * paced.block_bytes);
    std::vector facts{through_device(counted, Direction::read, bytes, labels)};
    const results::Value none = "less than two reads in the time there was";
    facts.push_back({.metric = "disk_io.rate",
                     .value = kept.per_second ? Quantity{*kept.per_second, Unit::hertz} : none,
                     .labels = labels});
    for (auto& fact : latency_facts(kept.latency, labels)) facts.push_back(std::move(fact));
    context_.add(std::move(facts));
  }

  void verify() {
    say_("verifying");
    const DeviceBytes counted(context_.sysfs(), device_);
    disk::verify(area_, engine_);
    Labels labels = labels_;
    labels.emplace("pattern", "verification");
    const auto bytes = static_cast<double>(area_.written_bytes());
    const auto share = through_device(counted, Direction::read, bytes, labels);
    add_wrong(context_, "disk_io", area_.wrong(), labels_);
    context_.add({share, {.metric = "disk_io.verified", .value = Quantity{bytes, Unit::byte}, .labels = labels_}});
  }

 private:
  static std::vector<results::Measurement> latency_facts(const results::Histogram& latency, const Labels& labels) {
    std::vector<results::Measurement> facts;
    const auto add = [&](const char* name, const results::Value& value) {
      Labels of_share = labels;
      of_share.emplace("percentile", name);
      facts.push_back({.metric = "disk_io.latency", .value = value, .labels = std::move(of_share)});
    };
    add("p50", percentile(latency, 0.5, 1));
    add("p99", percentile(latency, 0.99, 1));
    add("p99.9", percentile(latency, 0.999, 1));
    add("p99.99", percentile(latency, 0.9999, 10'000));
    add("max", percentile(latency, 1, 1));
    return facts;
  }

  // Of so many transfers at least, or it would tell of the slowest one alone.
  static results::Value percentile(const results::Histogram& latency, double share, std::uint64_t least) {
    if (latency.n() == 0) return "nothing was moved";
    if (latency.n() < least) return fmt::format("{} transfers are too few to tell", latency.n());
    return Quantity{share < 1 ? latency.quantile_seconds(share) : latency.maximum_seconds(), Unit::second};
  }

  static results::Measurement through_device(const DeviceBytes& counted, Direction direction, double bytes,
                                             const Labels& labels) {
    return {.metric = "disk_io.through_device", .value = counted.share_of(direction, bytes), .labels = labels};
  }

  Context& context_;
  disk::Area& area_;
  std::string device_;  // its number
  Labels labels_;
  DiskCheck::Say say_;
  const disk::Engine& engine_;
};

class DiskIo final : public DiskCheck {
 public:
  DiskIo() : DiskCheck("disk_io", 5) {}

  Description describe() const override {
    return {.name = "disk_io",
            .summary = "Bandwidth, operations and latency of a disk by a file of its own, every byte verified",
            .resources = {Resource::memory, Resource::disk},
            .tier = results::Tier::quick,
            .typical_seconds = 6};
  }

  void add_options(CommandLine& line) override {
    DiskCheck::add_options(line);
    line.add_positive("--reads-per-second", reads_per_second_, "What the data loader asks for (default: 10000)");
  }

 private:
  std::size_t buffer_bytes(const Context& /*context*/, const std::vector<DiskTarget>& places) const override {
    return places.size() * max_buffer_bytes;
  }

  void measure(Context& context, const DiskTarget& place, const disk::Engine& engine, const Say& say) const override {
    context.add("disk_io.filesystem", place.filesystem, place.labels);
    expect_disk(context.sysfs(), place);
    context.add("disk_io.stale_files", results::count(disk::remove_stale_files(place.path)), place.labels);
    const disk::OwnFile file(place.path, file_bytes(place.path, settings()));
    disk::Area area(file);
    try {
      run_all(Facts(context, area, place, engine, say), timetable(context));
    } catch (const benchmarks::Error&) {
      if (const auto wrong = area.wrong(); wrong.count > 0) add_wrong(context, "disk_io", wrong, place.labels);
      throw;
    }
  }

  void run_all(Facts facts, Timetable time) const {
    for (const auto& [workload, share] : large_steps) facts.run(workload, time.next(share));
    facts.save_checkpoint(time.next(share_of_checkpoint));
    for (const auto& [workload, share] : small_steps) facts.run(workload, time.next(share));
    facts.keep_pace(reads_per_second_, time.next_of_share(share_of_pace));
    facts.verify();
  }

  std::optional<double> reads_per_second_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<DiskIo>(); }

}  // namespace muster::healthcheck
