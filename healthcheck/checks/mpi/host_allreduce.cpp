// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/launcher.hpp"
#include "benchmarks/mpi/exchange.hpp"
#include "benchmarks/mpi/host_collective.hpp"
#include "benchmarks/sampler.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/collective_facts.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/context.hpp"
#include "healthcheck/culprit_facts.hpp"
#include "healthcheck/error.hpp"
#include "topology/meminfo.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Collective;
using benchmarks::HostCollective;
using results::Quantity;
using results::Unit;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double least_sample_seconds = 50e-6;        // so that the clock's resolution and its calls stay below 1 %
constexpr std::chrono::milliseconds quick_time{600};  // of all sizes together
constexpr std::chrono::milliseconds full_time{30000};
constexpr std::size_t most_calls = 64;
constexpr std::size_t most_exchanged = std::size_t{1} << 20;  // of a pair at a time
constexpr std::size_t exchanges = 9;
constexpr std::size_t most_samples = 1'000'000;
constexpr std::size_t osu_large = 8192;  // osu_allreduce makes fewer operations of more bytes

std::vector<std::string> names(const auto& all) {
  std::vector<std::string> words;
  for (const auto each : all) words.emplace_back(to_text(each));
  return words;
}

auto named(const auto& all, const std::string& name) {
  return *std::ranges::find(all, name, [](auto each) { return std::string(to_text(each)); });
}

double seconds_of(HostCollective& collective, benchmarks::Ranks& ranks) {
  ranks.barrier();
  const benchmarks::Steps::Inside inside(ranks.steps());
  const auto start = Clock::now();
  collective.run();
  return Seconds(Clock::now() - start).count();
}

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
    line.add_bytes("-b,--min-bytes", least_, 1, "Smallest size");
    line.add_bytes("-e,--max-bytes", greatest_, 1, "Greatest size");
    line.add("-f,--step-factor", factor_, "Each size is so many times the one before");
    line.add_choice("--operation", operation_, names(benchmarks::operations), "Which collective");
    line.add_choice("-d,--dtype", type_, names(benchmarks::data_types), "Type of the elements");
    line.add_choice("-o,--reduce", reduction_, names(benchmarks::reductions), "How elements are reduced");
    line.add_choice("--placement", placement_, {"in-place", "out-of-place", "both"}, "Whether results replace inputs");
    line.add_positive("-n,--iterations", iterations_, "So many samples of each size, instead of as many as it takes");
    line.add_choice("--method", method_, {"muster", "osu"},
                    "osu: latencies as osu_allreduce gives them, and no verdict");
  }

  void expect_possible(const Context& context) const override {
    const auto all = sizes();
    const auto ranks = context.ranks().size();
    const auto elements = all.back() / bytes_of(collectives().front().type);
    if (elements > HostCollective::most_elements)
      throw UsageError(fmt::format("--max-bytes: {} are {} elements of type {}, and one MPI call counts {}",
                                   benchmarks::size_text(all.back()), elements, type_, HostCollective::most_elements));
    const auto local = benchmarks::told_local_size(environ);
    const double wanted = static_cast<double>(HostCollective::buffer_bytes(collectives().back(), all.back(), ranks)) *
                          (local ? local->value : ranks);
    const auto memory = topology::meminfo(context.sysfs().text("proc/meminfo").value_or(""));
    const auto available = memory.find("MemAvailable");
    if (available != memory.end() && wanted > available->second)
      throw UsageError(
          fmt::format("--max-bytes: the buffers of {} need {} on one host, and {} are available; name a "
                      "smaller size",
                      benchmarks::size_text(all.back()), results::to_text(Quantity{wanted, Unit::byte}),
                      results::to_text(Quantity{available->second, Unit::byte})));
  }

  void run(Context& context) override {
    context.add("host_allreduce.ranks", results::count(static_cast<std::size_t>(context.ranks().size())));
    context.add("host_allreduce.library", context.ranks().library());
    const auto all = sizes();
    const auto placements = collectives();
    auto left = static_cast<int>(all.size() * placements.size());
    const auto enough = (context.tier() == results::Tier::full ? full_time : quick_time) / left;
    CollectiveFacts facts(context, describe().name);
    CulpritFacts culprit(context, describe().name);
    for (const Collective& collective : placements) {
      if (method_ == "osu") {
        for (const std::size_t bytes : all) measure_as_osu(context, facts, collective, bytes);
        continue;
      }
      std::vector<benchmarks::Timed> timed;
      for (const std::size_t bytes : all) {
        const auto share = (context.deadline() - Clock::now()) / left--;
        const auto moved = moved_bytes(collective, bytes, context.ranks().size());
        if (moved == 0) continue;
        const auto measured =
            measure(context, facts.rate_metric(), collective, moved, {.most = share, .enough = enough});
        timed.push_back(facts.add(measured));
        culprit.look_at(measured, timed.back().seconds);
      }
      facts.add_model(labels_of(collective), timed);
    }
    culprit.add(std::min(all.back(), most_exchanged),
                [](int partner, std::size_t bytes) { return benchmarks::exchange_rates(partner, bytes, exchanges); });
  }

 private:
  std::vector<std::size_t> sizes() const { return benchmarks::sizes(least_, greatest_, factor_); }

  // One for each placement; a broadcast of MPI has one buffer.
  std::vector<Collective> collectives() const {
    Collective collective{.operation = named(benchmarks::operations, operation_),
                          .type = named(benchmarks::data_types, type_),
                          .reduction = named(benchmarks::reductions, reduction_),
                          .in_place = true};
    const bool one_buffer = collective.operation == benchmarks::Operation::broadcast;
    if (one_buffer && placement_ == "out-of-place")
      throw UsageError("--placement: a broadcast of MPI is always in-place");
    std::vector<Collective> found;
    const bool one_input = method_ == "osu" && reduces(collective.operation);
    if (one_input && placement_ == "in-place")
      throw UsageError("--placement: --method osu writes its inputs once, which a reduction in-place would change");
    if (placement_ != "out-of-place" && !one_input) found.push_back(collective);
    collective.in_place = false;
    if (placement_ != "in-place" && !one_buffer) found.push_back(collective);
    return found;
  }

  static results::Labels labels_of(const Collective& collective) {
    results::Labels labels{{"operation", std::string(to_text(collective.operation))},
                           {"type", std::string(to_text(collective.type))},
                           {"placement", collective.in_place ? "in-place" : "out-of-place"}};
    if (reduces(collective.operation)) labels.emplace("reduce", to_text(collective.reduction));
    return labels;
  }

  // As many calls as last long enough to be timed.
  static std::size_t calls(benchmarks::Ranks& ranks, const Collective& collective, std::size_t bytes) {
    HostCollective one(collective, bytes, ranks, 1);
    one.prepare(0);
    double seconds = 0;
    for (int call = 0; call < 3; ++call) seconds = ranks.max(seconds_of(one, ranks));
    return static_cast<std::size_t>(
        std::clamp(std::ceil(least_sample_seconds / seconds), 1.0, static_cast<double>(most_calls)));
  }

  struct Time {
    Clock::duration most;    // to tell edges apart; the healthy need a few samples
    Clock::duration enough;  // where there are none
  };

  Measured measure(Context& context, const std::string& metric, const Collective& collective, std::size_t bytes,
                   const Time& time) const {
    auto& ranks = context.ranks();
    Measured measured{.labels = labels_of(collective),
                      .bytes = bytes,
                      .factor = ranks.size() == 1 ? 0 : bus_factor(collective.operation, ranks.size())};
    measured.labels.emplace("size", benchmarks::size_text(bytes));
    context.phase(fmt::format("measuring {}", results::to_text(measured.labels)));

    const auto number = calls(ranks, collective, bytes);
    HostCollective timed(collective, bytes, ranks, number);
    const auto once = [&] {
      const auto sample = measured.seconds.size();
      timed.prepare(sample * number);
      measured.seconds.push_back(seconds_of(timed, ranks) / static_cast<double>(number));
      add(measured, timed.verify(), sample);
      return measured.work() / ranks.max(measured.seconds.back());
    };
    auto goal = context.goal(metric, measured.labels);
    goal.count = iterations_;
    auto end = context.deadline();
    if (!iterations_) end = Clock::now() + (goal.edges ? time.most : std::min(time.most, time.enough));
    measured.sampled = sample(ranks, once, Unit::byte_per_second, goal, {.end = end, .most = most_samples});
    return measured;
  }

  // As osu_allreduce does, to be held beside it: inputs written once, a barrier before every operation, and the mean
  // over operations and ranks.
  void measure_as_osu(Context& context, CollectiveFacts& facts, const Collective& collective, std::size_t size) const {
    auto& ranks = context.ranks();
    Measured measured{.labels = labels_of(collective), .bytes = moved_bytes(collective, size, ranks.size())};
    if (measured.bytes == 0) return;
    measured.labels.emplace("size", benchmarks::size_text(measured.bytes));
    context.phase(fmt::format("measuring {}", results::to_text(measured.labels)));
    HostCollective timed(collective, measured.bytes, ranks, 1);
    timed.prepare(0);
    const std::size_t number = iterations_.value_or(measured.bytes > osu_large ? 100 : 1000);
    for (std::size_t unheeded = 0; unheeded < number / 5; ++unheeded) seconds_of(timed, ranks);
    double seconds = 0;
    for (std::size_t sample = 0; sample < number; ++sample) seconds += seconds_of(timed, ranks);
    context.add("host_allreduce.osu_latency",
                Quantity{ranks.sum(seconds) / static_cast<double>(number) / ranks.size(), Unit::second},
                measured.labels);
    add(measured, timed.verify(), number - 1);
    facts.add_wrong(measured);
  }

  static void add(Measured& measured, const benchmarks::WrongElements& found, std::size_t sample) {
    measured.wrong += found.count;
    if (found.first && measured.first_wrong.empty())
      measured.first_wrong = fmt::format("sample {}, element {}: expected bits {:x}, found {:x}, differing {:x}",
                                         sample, found.first->index, found.first->expected_bits,
                                         found.first->found_bits, found.first->expected_bits ^ found.first->found_bits);
  }

  std::size_t least_ = std::size_t{4} << 10;
  std::size_t greatest_ = std::size_t{16} << 20;
  std::size_t factor_ = 16;
  std::string operation_ = "allreduce";
  std::string type_ = "float";
  std::string reduction_ = "sum";
  std::string placement_ = "both";
  std::optional<std::size_t> iterations_;
  std::string method_ = "muster";
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<HostAllreduce>(); }

}  // namespace muster::healthcheck
