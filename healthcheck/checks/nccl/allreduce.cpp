// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/cuda/device.hpp"
#include "benchmarks/nccl/device_collective.hpp"
#include "benchmarks/sampling/sizes.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/job.hpp"
#include "healthcheck/parts/collectives/collective_options.hpp"
#include "healthcheck/parts/collectives/gpu_labels.hpp"
#include "healthcheck/parts/collectives/measure_collectives.hpp"
#include "healthcheck/parts/collectives/nccl_facts.hpp"
#include "healthcheck/program/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Collective;
using benchmarks::Operation;
using benchmarks::nccl::DeviceCollective;
using benchmarks::nccl::DeviceJob;

constexpr std::size_t unused_bytes = std::size_t{1} << 30;  // of each device, for NCCL's own buffers

// The devices that CUDA sees here; none where there is no driver, with CUDA's words.
std::pair<std::vector<benchmarks::cuda::Device>, std::string> devices_or_reason() {
  try {
    return {benchmarks::cuda::devices(), {}};
  } catch (const benchmarks::cuda::NoDevice& nothing) {
    return {{}, nothing.what()};
  }
}

// A file that is gone with its object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Skips where no rank has a device.
void expect_devices(benchmarks::Ranks& ranks, std::size_t devices, const std::string& reason) {
  if (ranks.max(static_cast<double>(devices)) == 0) throw Skip(reason);
  if (devices == 0) throw benchmarks::Error(reason);
}

// This rank's number among those of its host, and theirs.
std::pair<std::size_t, std::size_t> place_on_host(const Context& context) {
  const auto& hosts = context.hosts();
  const auto rank = static_cast<std::size_t>(context.ranks().rank());
  const auto own = hosts.begin() + static_cast<std::ptrdiff_t>(rank);
  return {static_cast<std::size_t>(std::count(hosts.begin(), own, hosts[rank])),
          static_cast<std::size_t>(std::ranges::count(hosts, hosts[rank]))};
}

void let_ranks_share_gpus(const Context& context, std::size_t devices) {
  const auto& host = context.hosts()[static_cast<std::size_t>(context.ranks().rank())];
  benchmarks::nccl::let_ranks_share_gpus(fmt::format("{}/{}", host, place_on_host(context).first / devices));
}

class Allreduce final : public Check {
 public:
  Description describe() const override {
    return {.name = "allreduce",
            .summary = "Bandwidth of NCCL collectives between GPUs, every element verified, and how NCCL moved them",
            .scope = Scope::ranks,
            .resources = {Resource::gpu, Resource::nic},
            .tier = results::Tier::quick,
            .typical_seconds = 10};
  }

  void add_options(CommandLine& line) override {
    options_.add_to(line, benchmarks::data_types, benchmarks::reductions);
    line.add("--register", registered_, "Tell NCCL of the buffers before, as frameworks do that use them again");
    line.add_positive("--ranks-per-gpu", ranks_per_gpu_, "How many ranks may share a GPU (default: 1)");
  }

  void expect_possible(const Context& context) const override {
    const auto greatest = options_.sizes(context.tier()).back();
    const auto ranks = options_.members(context.hosts());
    options_.expect_moved(context.tier(), ranks);
    const auto collective = collectives().back();
    const bool power_of_two = (ranks & (ranks - 1)) == 0;
    if (divides(collective) && !power_of_two)
      throw UsageError(fmt::format(
          "--reduce avg: the average of {} ranks is not an exact number of type {}; start 2, 4, 8 or so ranks, or name "
          "another type",
          ranks, to_text(collective.type)));
    const auto [devices, reason] = devices_or_reason();
    if (devices.empty()) return;  // run() skips
    const auto [index, count] = place_on_host(context);
    const auto allowed = devices.size() * ranks_per_gpu();
    if (count > allowed)
      throw UsageError(fmt::format("{} ranks on {}, which has {} GPUs; start fewer, or allow more with --ranks-per-gpu",
                                   count, context.hosts()[static_cast<std::size_t>(context.ranks().rank())],
                                   devices.size()));
    const auto& device = devices[index % devices.size()];
    if (options_.greatest() && !fits(greatest, ranks, room(device)))
      throw UsageError(fmt::format(
          "--max-bytes: the buffers of {} need {} on GPU {}, which has {}; name a smaller size",
          benchmarks::size_text(greatest), amount(wanted(greatest, ranks)), device.index, amount(device.memory_bytes)));
  }

  void run(Context& context) override {
    auto& ranks = context.ranks();
    const auto [devices, reason] = devices_or_reason();
    expect_devices(ranks, devices.size(), reason);
    const auto& device = devices[place_on_host(context).first % devices.size()];
    expect_own_device(context, device);
    const double min_room = -ranks.max(-room(device));
    options_.fit([&](std::size_t size) { return fits(size, options_.members(context.hosts()), min_room); });

    const TemporaryFile log(context.scratch() / fmt::format("muster-nccl-{}.log", getpid()));
    const TemporaryFile dump(context.scratch() / fmt::format("muster-nccl-{}.xml", getpid()));
    const RankGroup members(context, options_.split());
    benchmarks::nccl::listen_to_nccl({log.path(), dump.path(), members.ranks().rank()}, context.settings().topology);
    if (ranks_per_gpu() > 1) let_ranks_share_gpus(context, devices.size());
    add_conditions(context);
    NcclFacts facts(context, describe().name, device.pci_address);
    {
      DeviceJob job(ranks, members.ranks(), device.index);
      facts.add_nvlinks(dump.path(), members.ranks().rank());
      measure_collectives(
          context, describe().name, options_, collectives(),
          {.members = members,
           .make =
               [&](const Collective& collective, std::size_t bytes, std::size_t calls) {
                 return std::make_unique<DeviceCollective>(collective, bytes, job, calls, registered_);
               },
           .exchange =
               [&job](int partner, const CulpritFacts::Amount& amount) {
                 return benchmarks::nccl::device_exchange_rates(job, partner, amount.bytes, amount.exchanges);
               },
           .place = [&] { return gpu_labels(context.sysfs(), device.pci_address); },
           .limit = [&]() -> std::optional<results::Limit> {
             if (!members.groups().empty()) return std::nullopt;
             return facts.limit(options_.collective().operation, job.routes().seen(), dump.path());
           },
           .passes_nics = [&] { return !facts.linked(dump.path()); },
           .add_facts = [&](const Measured& measured) { facts.add_routes(job.routes().seen(), measured.labels); }});
    }
    facts.add_log(std::filesystem::exists(log.path()) ? results::read_text(log.path()) : "", members.span_labels());
  }

 private:
  // What is the same for all sizes, and on all ranks.
  void add_conditions(Context& context) const {
    auto& ranks = context.ranks();
    const auto version = benchmarks::nccl::nccl_version();
    if (const auto problem = difference(ranks, context.hosts(), {{"NCCL", version}}); !problem.empty())
      throw benchmarks::Error(problem);
    context.add("allreduce.ranks", results::count(static_cast<std::size_t>(ranks.size())));
    context.add("allreduce.library", ranks.library());
    context.add("allreduce.nccl", version);
    context.add("allreduce.buffers", registered_ ? "registered" : "not registered");
  }

  static std::string amount(double bytes) { return results::to_text(results::Quantity{bytes, results::Unit::byte}); }

  // For the buffers of all ranks on a device.
  static double room(const benchmarks::cuda::Device& device) {
    return device.memory_bytes - static_cast<double>(unused_bytes);
  }

  // What they need, among so many members.
  double wanted(std::size_t size, int members) const {
    return static_cast<double>(benchmarks::buffer_bytes(collectives().back(), size, members)) *
           static_cast<double>(ranks_per_gpu());
  }

  bool fits(std::size_t size, int members, double room) const { return wanted(size, members) <= room; }

  std::size_t ranks_per_gpu() const { return ranks_per_gpu_.value_or(1); }

  std::vector<Collective> collectives() const {
    const auto operation = options_.collective().operation;
    if (operation == Operation::all_to_all || operation == Operation::send_receive)
      return options_.collectives({.in_place = false, .reason = "NCCL sends and receives between two buffers only"});
    return options_.collectives({});
  }

  static bool divides(const Collective& collective) {
    return reduces(collective.operation) && collective.reduction == benchmarks::Reduction::avg &&
           benchmarks::has_fractions(collective.type);
  }

  void expect_own_device(Context& context, const benchmarks::cuda::Device& device) const {
    auto& ranks = context.ranks();
    const auto places =
        ranks.gather(context.hosts()[static_cast<std::size_t>(ranks.rank())] + " " + device.pci_address);
    std::string problem;
    for (std::size_t rank = 0; rank < places.size(); ++rank)
      if (static_cast<std::size_t>(std::count(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(rank),
                                              places[rank])) >= ranks_per_gpu() &&
          problem.empty())
        problem = fmt::format("rank {} is on a GPU that another rank has: {}", rank, places[rank]);
    problem = ranks.broadcast(problem);
    if (!problem.empty()) throw benchmarks::Error(problem);
  }

  CollectiveOptions options_{{.least = std::size_t{1} << 20,
                              .greatest = std::size_t{1} << 30,
                              .max_in_full = std::size_t{16} << 30,
                              .factor = 4}};
  std::optional<std::size_t> ranks_per_gpu_;
  bool registered_ = false;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<Allreduce>(); }

}  // namespace muster::healthcheck
