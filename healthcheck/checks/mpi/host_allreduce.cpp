// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/host/mapping.hpp"
#include "benchmarks/mpi/exchange.hpp"
#include "benchmarks/mpi/host_collective.hpp"
#include "benchmarks/ranks/launcher.hpp"
#include "benchmarks/sampling/sizes.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/parts/collectives/collective_facts.hpp"
#include "healthcheck/parts/collectives/collective_options.hpp"
#include "healthcheck/parts/collectives/measure_collectives.hpp"
#include "healthcheck/program/error.hpp"
#include "topology/cpu/cgroup.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Collective;
using benchmarks::host::Mapping;
using benchmarks::mpi::HostCollective;
using results::Quantity;
using results::Unit;

constexpr std::size_t osu_large = 8192;  // osu_allreduce makes fewer operations of more bytes

class HostAllreduce final : public Check {
 public:
  Description describe() const override {
    return {.name = "host_allreduce",
            .summary = "Bandwidth of MPI collectives between the memories of several ranks, every element verified",
            .scope = Scope::ranks,
            .resources = {Resource::cpu, Resource::memory},
            .tier = results::Tier::quick,
            .typical_seconds = 2};
  }

  void add_options(CommandLine& line) override {
    options_.add_to(line, HostCollective::types, HostCollective::reductions);
    line.add_choice("--method", method_, {"muster", "osu"},
                    "osu: latencies as osu_allreduce gives them, and no verdict");
  }

  void expect_possible(const Context& context) const override {
    if (method_ == "osu" && !options_.split().empty())
      throw UsageError("--split: --method osu measures all ranks as one; leave one of both away");
    const auto greatest = options_.sizes(context.tier()).back();
    const auto ranks = options_.members(context.hosts());
    options_.expect_moved(context.tier(), ranks);
    const auto collective = collectives().back();
    const auto elements = greatest / bytes_of(collective.type);
    if (elements > HostCollective::max_elements)
      throw UsageError(fmt::format("--max-bytes: {} are {} elements of type {}, and one MPI call counts {}",
                                   benchmarks::size_text(greatest), elements, to_text(collective.type),
                                   HostCollective::max_elements));
    const auto local = benchmarks::told_local_size(environ);
    const auto unused = method_ == "osu" ? greatest : 0;
    const double wanted = static_cast<double>(benchmarks::buffer_bytes(collective, greatest, ranks) + unused) *
                          (local ? local->value : ranks);
    const auto available = topology::available_memory(context.sysfs(), topology::cgroup_limits(context.sysfs()));
    if (available && wanted > *available)
      throw UsageError(
          fmt::format("--max-bytes: the buffers of {} need {} on one host, and {} are available; name a "
                      "smaller size",
                      benchmarks::size_text(greatest), results::to_text(Quantity{wanted, Unit::byte}),
                      results::to_text(Quantity{*available, Unit::byte})));
  }

  void run(Context& context) override {
    auto& ranks = context.ranks();
    context.add("host_allreduce.ranks", results::count(static_cast<std::size_t>(ranks.size())));
    context.add("host_allreduce.library", ranks.library());
    if (method_ == "osu") {
      for (const Collective& collective : collectives()) measure_as_osu(context, collective);
      return;
    }
    const RankGroup members(context, options_.split());
    measure_collectives(context, describe().name, options_, collectives(),
                        {.members = members,
                         .make =
                             [&](const Collective& collective, std::size_t bytes, std::size_t calls) {
                               return std::make_unique<HostCollective>(collective, bytes, ranks, members.ranks(),
                                                                       calls);
                             },
                         .exchange =
                             [](int partner, const CulpritFacts::Amount& amount) {
                               return benchmarks::mpi::exchange_rates(partner, amount.bytes, amount.exchanges);
                             }});
  }

 private:
  std::vector<Collective> collectives() const {
    const auto operation = options_.collective().operation;
    if (operation == benchmarks::Operation::broadcast)
      return options_.collectives({.out_of_place = false, .reason = "a broadcast of MPI is always in-place"});
    if (method_ == "osu" && reduces(operation))
      return options_.collectives(
          {.in_place = false,
           .reason = "--method osu writes its inputs once, which a reduction in-place would change"});
    return options_.collectives({});
  }

  // As osu_allreduce does, to be held beside it: buffers of the greatest size for all sizes, in ordinary memory, inputs
  // written once for each size, a barrier before every operation, and the mean over operations and ranks.
  void measure_as_osu(Context& context, const Collective& collective) const {
    auto& ranks = context.ranks();
    const auto sizes = options_.sizes(context.tier());
    HostCollective timed(collective, sizes.back(), ranks, ranks, 1, Mapping::Pages::ordinary);
    // OSU has a third buffer, for its -c alone. Where MPI's own buffers lie, and so their speed, depends on it.
    const Mapping unused(sizes.back() / sizeof(double) + 1, Mapping::Pages::ordinary);
    std::ranges::fill(unused.values(), 0);
    for (const std::size_t size : sizes)
      if (const auto bytes = moved_bytes(collective, size, ranks.size()); bytes > 0)
        add_latency(context, timed, collective, bytes);
  }

  void add_latency(Context& context, HostCollective& timed, const Collective& collective, std::size_t bytes) const {
    auto& ranks = context.ranks();
    Measured measured{.labels = labels_of(collective), .bytes = bytes};
    measured.labels.emplace("size", benchmarks::size_text(measured.bytes));
    context.phase(fmt::format("measuring {}", results::to_text(measured.labels)));
    timed.resize(measured.bytes);
    timed.prepare(0);
    const std::size_t number = options_.iterations().value_or(measured.bytes > osu_large ? 100 : 1000);
    for (std::size_t unheeded = 0; unheeded < number / 5; ++unheeded) timed.seconds();
    double seconds = 0;
    for (std::size_t sample = 0; sample < number; ++sample) seconds += timed.seconds();
    context.add("host_allreduce.osu_latency",
                Quantity{ranks.sum(seconds) / static_cast<double>(number) / ranks.size(), Unit::second},
                measured.labels);
    add_sample(measured, timed.verify(), number - 1);
    CollectiveFacts(context, describe().name).add_wrong(measured);
  }

  CollectiveOptions options_{{.least = std::size_t{4} << 10,
                              .greatest = std::size_t{16} << 20,
                              .max_in_full = std::size_t{16} << 20,
                              .factor = 16}};
  std::string method_ = "muster";
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<HostAllreduce>(); }

}  // namespace muster::healthcheck
