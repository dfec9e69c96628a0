// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/disk/folder_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "benchmarks/disk/checkpoint.hpp"
#include "benchmarks/disk/pace.hpp"
#include "benchmarks/sizes.hpp"
#include "healthcheck/clock.hpp"
#include "topology/mounts.hpp"
#include "topology/parsed.hpp"

namespace muster::healthcheck {
namespace {

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

// The first writes what all others read. What is large comes first: it would write over what a small one lost.
constexpr std::array large_steps = {
    step(Direction::write, Pattern::sequential, mebibyte, 32, 0.14),
    step(Direction::read, Pattern::sequential, mebibyte, 32, 0.1),
};
constexpr std::array small_steps = {
    step(Direction::read, Pattern::random, 4 * kibibyte, 1, 0.1),
    step(Direction::read, Pattern::random, 4 * kibibyte, 64, 0.1),
    step(Direction::write, Pattern::random, 4 * kibibyte, 1, 0.1),
    step(Direction::write, Pattern::random, 4 * kibibyte, 64, 0.1),
};
constexpr double share_of_checkpoint = 0.12;
constexpr double share_of_pace = 0.24;
constexpr double usual_seconds = 7;
constexpr double seconds_in_full = 70;

template <typename Number>
std::string text(Number bytes) {
  return results::to_text(Quantity{static_cast<double>(bytes), Unit::byte});
}

Labels of(const Workload& workload, Labels labels) {
  labels.emplace("pattern", fmt::format("{}_{}", to_text(workload.pattern), to_text(workload.direction)));
  labels.emplace("size", benchmarks::size_text(workload.block_bytes));
  labels.emplace("depth", std::to_string(workload.depth));
  return labels;
}

}  // namespace

FolderFacts::FolderFacts(Context& context, std::filesystem::path path, const DiskSettings& settings, Say say)
    : context_(context),
      path_(std::move(path)),
      settings_(settings),
      say_(std::move(say)),
      labels_({{"path", path_.string()}}) {}

std::string FolderFacts::measure() {
  std::string reason;
  try {
    look();
    const benchmarks::OwnFile file(path_, size());
    begin(file);
    benchmarks::Area area(file);
    for (const auto& [workload, share] : large_steps) run(area, workload, time(share));
    save_checkpoint(area);
    for (const auto& [workload, share] : small_steps) run(area, workload, time(share));
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

std::chrono::nanoseconds FolderFacts::time(double share) const {
  const double usual = context_.tier() == results::Tier::full ? seconds_in_full : usual_seconds;
  return ticks(share * settings_.seconds.value_or(usual));
}

void FolderFacts::look() {
  say_("looking at the file system");
  context_.add("disk_io.stale_files", results::count(benchmarks::remove_stale_files(path_)), labels_);
  const auto mounts = topology::parsed(context_.sysfs(), "proc/self/mountinfo", topology::mounts);
  const auto mount = topology::mount_above(mounts.value_or(std::vector<topology::Mount>()), path_.string());
  if (!mount) throw benchmarks::Error("it is not known which file system it lies on");
  context_.add("disk_io.filesystem", mount->type, labels_);
  if (std::ranges::find(no_disks, mount->type) != no_disks.end())
    throw benchmarks::Error(fmt::format("it is on {}, which is not a disk", mount->type));
}

std::size_t FolderFacts::size() const {
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

void FolderFacts::begin(const benchmarks::OwnFile& file) {
  device_ = benchmarks::device_number(path_);
  if (const auto name = context_.sysfs().link_name("sys/dev/block/" + device_)) labels_.emplace("device", *name);
  engine_ = benchmarks::usable_engine(most_buffer_bytes);
  context_.add("disk_io.engine", engine_.words, labels_);
  context_.add("disk_io.file_size", Quantity{static_cast<double>(file.data_bytes()), Unit::byte}, labels_);
}

void FolderFacts::run(benchmarks::Area& area, const Workload& workload, std::chrono::nanoseconds time) {
  const auto labels = of(workload, labels_);
  const bool random = workload.pattern == Pattern::random;
  const std::string metric = random ? "disk_io.rate" : "disk_io.bandwidth";
  say_(fmt::format("{} {}, depth {}", to_text(workload.pattern), to_text(workload.direction), workload.depth));
  const auto before = traffic();
  const auto end = std::min(std::chrono::steady_clock::now() + time, context_.deadline());
  const auto worked = benchmarks::work(area, engine_, workload, context_.goal(metric, labels), {.end = end});
  add_through_device(before, workload.direction, worked.bytes, labels);
  add_rates(metric, worked.rates, labels);
  add_latency(worked.latency, labels);
  context_.add("disk_io.cpu_time", Quantity{worked.cpu_seconds / static_cast<double>(worked.operations), Unit::second},
               labels);
}

void FolderFacts::save_checkpoint(benchmarks::Area& area) {
  const std::string metric = "disk_io.bandwidth";
  const benchmarks::Checkpoint checkpoint;
  Labels labels = labels_;
  labels.emplace("pattern", "checkpoint");
  labels.emplace("size", benchmarks::size_text(checkpoint.block_bytes));
  say_("checkpoint");
  const auto before = traffic();
  const auto end = std::min(std::chrono::steady_clock::now() + time(share_of_checkpoint), context_.deadline());
  const auto saved = benchmarks::save(area, engine_, checkpoint, context_.goal(metric, labels), {.end = end});
  labels.emplace("writers", std::to_string(saved.writers));
  add_through_device(before, Direction::write, saved.bytes, labels);
  add_rates(metric, saved.rates, labels);
}

void FolderFacts::keep_pace(benchmarks::Area& area) {
  Labels labels = labels_;
  labels.emplace("pattern", "data_loader");
  benchmarks::Paced paced;
  paced.per_second = settings_.reads_per_second.value_or(paced.per_second);
  paced.time = time(share_of_pace);
  say_(fmt::format("data loader, {:.0f} reads per second", paced.per_second));
  const auto before = traffic();
  const auto kept = benchmarks::keep_pace(area, engine_, paced);
  add_through_device(before, Direction::read, static_cast<double>(kept.latency.n() * paced.block_bytes), labels);
  context_.add("disk_io.rate", Quantity{kept.per_second, Unit::hertz}, labels);
  add_latency(kept.latency, labels);
}

void FolderFacts::verify(benchmarks::Area& area) {
  say_("verifying");
  benchmarks::verify(area, engine_);
  const auto wrong = area.wrong();
  if (wrong.count > 0) context_.add("disk_io.first_wrong", wrong.first, labels_);
  context_.add("disk_io.wrong_blocks", results::count(wrong.count), labels_);
  context_.add("disk_io.verified", Quantity{static_cast<double>(area.written_bytes()), Unit::byte}, labels_);
}

void FolderFacts::add_rates(const std::string& metric, const benchmarks::Sampled& rates, const Labels& labels) {
  const auto summary = results::summarize(rates.samples);
  context_.add({.metric = metric,
                .value = Quantity{summary.median, rates.samples.unit},
                .labels = labels,
                .summary = summary,
                .stopping = rates.stopping,
                .limit = {}});
}

void FolderFacts::add_latency(const results::Histogram& latency, const Labels& labels) {
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

std::optional<topology::BlockTraffic> FolderFacts::traffic() const {
  return topology::block_traffic(context_.sysfs(), device_);
}

// How much of the bytes that were claimed the device itself has counted; others may have moved some, too.
void FolderFacts::add_through_device(const std::optional<topology::BlockTraffic>& before, Direction direction,
                                     double bytes, const Labels& labels) {
  const std::string metric = "disk_io.through_device";
  const auto after = traffic();
  if (!before || !after) {
    context_.add(metric, "no block device counts what this file system moves", labels);
    return;
  }
  const auto moved = direction == Direction::read ? after->read_bytes - before->read_bytes
                                                  : after->written_bytes - before->written_bytes;
  context_.add(metric, Quantity{static_cast<double>(moved) / bytes}, labels);
}

}  // namespace muster::healthcheck
