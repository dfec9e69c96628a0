// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/data/exact_product.hpp"
#include "benchmarks/data/peak_operations.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/sampling/sampler.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/dissenters.hpp"
#include "healthcheck/check/gpu_choice.hpp"
#include "healthcheck/check/rate_fact.hpp"
#include "healthcheck/parts/cublas/compute_state.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Arithmetic;
using benchmarks::ProductInput;
using results::Labels;
using results::Unit;
using Clock = std::chrono::steady_clock;

constexpr std::size_t usual_size = 8192;
constexpr std::size_t size_step = 64;
constexpr std::size_t usual_seed = 1;  // the same on all machines, so that their results can be compared
constexpr double seconds_of_a_round = 0.1;
constexpr double max_in_a_round = 128;
constexpr std::size_t other_repetitions = 8;

struct ComputeSetting {
  std::size_t size = 0;
  std::uint64_t seed = 0;
  std::chrono::milliseconds time{};  // of each arithmetic
};

class ComputeTest {
 public:
  ComputeTest(Context& context, ComputeSetting setting) : context_(context), setting_(setting) {}

  void run(const std::vector<SelectedGpu>& chosen) {
    for (const auto& gpu : chosen) take(gpu);
    for (const auto arithmetic : benchmarks::arithmetics) {
      sustained(arithmetic);
      exact(arithmetic);
    }
    by_kernel("special functions", benchmarks::cuda::special_functions);
    by_kernel("sums", benchmarks::cuda::ordered_sums);
    for (auto& working : gpus_) conclude(working);
  }

 private:
  void take(const SelectedGpu& chosen) {
    context_.phase(fmt::format("taking memory of GPU {} at {}", chosen.index, chosen.address));
    try {
      gpus_.push_back(std::make_unique<ComputeState>(chosen, setting_.size));
    } catch (const benchmarks::Error& error) {
      return context_.add("gpu_compute.access", refusal_of_cuda(error.what()), chosen.labels());
    }
    context_.add("gpu_compute.access", "granted", chosen.labels());
  }

  // Products of random numbers for some time: how fast, at which clock, and always the same.
  void sustained(Arithmetic arithmetic) {
    const auto name = fmt::format("{} product", to_text(arithmetic));
    context_.phase(name);
    const ProductInput input{.arithmetic = arithmetic, .size = setting_.size, .seed = setting_.seed};
    on_all([&](ComputeState& working) { working.gpu.take_up(input); });
    on_busy([](ComputeState& working) { working.gpu.repeat(1); });
    on_busy([](ComputeState& working) {
      working.seconds = working.gpu.wait().front();
      working.rates.emplace(benchmarks::SamplingGoal{});
    });
    const auto end = std::min(Clock::now() + setting_.time, context_.deadline());
    do round(input.operations());
    while (Clock::now() < end && is_any_busy());
    on_busy([&](ComputeState& working) {
      const auto labels = working.labels("arithmetic", to_text(arithmetic));
      context_.add(rate_fact("gpu_compute.rate", std::move(*working.rates).result(Unit::operation_per_second), labels,
                             limit(working.gpu, arithmetic)));
      working.gpu.clocks().add(context_, "gpu_compute", labels);
    });
    compare(name);
  }

  void round(double operations) {
    on_busy([](ComputeState& working) {
      const double times = std::clamp(seconds_of_a_round / working.seconds, 1.0, max_in_a_round);
      working.gpu.repeat(static_cast<std::size_t>(times));
    });
    on_busy([](ComputeState& working) { working.gpu.clocks().look(); });
    on_busy([&](ComputeState& working) {
      for (const double seconds : working.gpu.wait()) working.rates->add(operations / seconds);
    });
  }

  static std::optional<results::Limit> limit(const GpuComputer& gpu, Arithmetic arithmetic) {
    const auto& device = gpu.device();
    const auto peak = benchmarks::peak_operations_per_clock(arithmetic, device.compute_capability);
    const auto clock = gpu.clocks().clock();
    if (!peak || !clock) return std::nullopt;
    return results::Limit{.value = {*peak * device.multiprocessors * *clock, Unit::operation_per_second},
                          .source = fmt::format("{} operations x {} multiprocessors x {} as observed", *peak,
                                                device.multiprocessors, results::to_text({*clock, Unit::hertz}))};
  }

  // One of whole numbers, whose product everybody can tell.
  void exact(Arithmetic arithmetic) {
    context_.phase(fmt::format("exact {} product", to_text(arithmetic)));
    const ProductInput input{
        .arithmetic = arithmetic, .numbers = benchmarks::Numbers::whole, .size = setting_.size, .seed = setting_.seed};
    on_all([&](ComputeState& working) { working.gpu.take_up(input); });
    on_busy([](ComputeState& working) { working.wrong = {}; });
    for (const auto seed : {setting_.seed, setting_.seed + 1}) {
      on_busy([&](ComputeState& working) { working.gpu.add_up(seed); });
      on_busy([](ComputeState& working) {
        working.gpu.wait();
        const auto [expected, found] = working.gpu.row_sums();
        if (working.wrong.count == 0) working.wrong = benchmarks::wrong_rows(expected, found);
      });
    }
    on_busy([&](ComputeState& working) {
      const auto labels = working.labels("arithmetic", to_text(arithmetic));
      context_.add("gpu_compute.wrong_rows", results::count(working.wrong.count), labels);
      if (!working.wrong.first) return;
      const auto element = benchmarks::wrong_element(input, *working.wrong.first, working.gpu.results().copied());
      context_.add("gpu_compute.first_wrong", text(element), working.identified(labels));
    });
  }

  static std::string text(const std::optional<benchmarks::WrongProductElement>& element) {
    if (!element) return "right when it was looked at again";
    return fmt::format("row {}, column {}: {}, not {}", element->row, element->column, element->found,
                       element->expected);
  }

  template <class Make>
  void by_kernel(std::string_view name, const Make& make) {
    context_.phase(name);
    on_all([&](ComputeState& working) {
      working.gpu.take_up(make(setting_.seed));
      working.gpu.repeat(other_repetitions);
    });
    on_busy([](ComputeState& working) { working.gpu.wait(); });
    compare(name);
  }

  // Every result with the first, and the first with that of the other GPUs.
  void compare(std::string_view name) {
    std::vector<Vote> votes;
    std::vector<ComputeState*> voters;
    on_busy([&](ComputeState& working) {
      auto labels = working.labels("computation", name);
      const auto differing = working.gpu.results().mismatches();
      context_.add("gpu_compute.unrepeated", results::count(differing.count), labels);
      if (differing.first)
        context_.add("gpu_compute.first_unrepeated", working.text(*differing.first), working.identified(labels));
      const auto& model = working.gpu.device().name;
      votes.push_back({.model = model, .hash = fmt::format("{:016x}", working.gpu.results().hash())});
      voters.push_back(&working);
      labels.emplace("model", model);
      context_.add("gpu_compute.hash", votes.back().hash, std::move(labels));
    });
    for (const auto& [odd, usual] : dissenters(votes)) tell_apart(*voters[odd], *voters[usual], name);
  }

  void tell_apart(ComputeState& odd, ComputeState& usual, std::string_view name) {
    std::vector<std::uint64_t> expected;
    on(usual, [&](ComputeState& working) { expected = working.gpu.results().copied(); });
    if (usual.trouble) return;
    on(odd, [&](ComputeState& working) {
      if (const auto first = benchmarks::first_difference(working.gpu.results().copied(), expected))
        context_.add("gpu_compute.first_different", working.text(*first),
                     working.identified(working.labels("computation", name)));
    });
  }

  void conclude(std::unique_ptr<ComputeState>& working) {
    context_.add("gpu_compute.outcome", working->trouble.value_or("completed"), working->labels());
    context_.add("gpu_compute.counters", working->gpu.clocks().answer(), working->labels());
    if (working->is_silent) static_cast<void>(working.release());  // to give its memory back would wait for it
  }

  // What one GPU cannot go on with is its own affair: one that does not even come to rest any more.
  template <class Part>
  static void on(ComputeState& working, const Part& part) {
    try {
      benchmarks::cuda::use_device(working.gpu.device().index);
      part(working);
    } catch (const benchmarks::cuda::NoAnswer& silence) {
      working.trouble = silence.what();
      working.is_silent = true;
    } catch (const benchmarks::Error&) {
      working.trouble = benchmarks::cuda::trouble_of(working.gpu.device().index);
      if (!working.trouble) throw;
    }
  }
  template <class Part>
  void on_all(const Part& part) {
    for (auto& working : gpus_)
      if (!working->trouble) on(*working, part);
  }
  // Those that have something to compute.
  template <class Part>
  void on_busy(const Part& part) {
    for (auto& working : gpus_)
      if (working->is_busy()) on(*working, part);
  }
  bool is_any_busy() const {
    return std::ranges::any_of(gpus_, [](const auto& working) { return working->is_busy(); });
  }

  Context& context_;
  ComputeSetting setting_;
  std::vector<std::unique_ptr<ComputeState>> gpus_;
};

class GpuCompute final : public Check {
 public:
  Description describe() const override {
    return {.name = "gpu_compute",
            .summary = "Products of matrices, sums and special functions: how fast, whether right, and as all GPUs do",
            .scope = Scope::all_gpus,
            .resources = {Resource::gpu},
            .tier = results::Tier::quick,
            .typical_seconds = 8};
  }

  void add_options(CommandLine& line) override {
    choice_.add_to(line);
    line.add("--size", size_, "Rows and columns of each matrix, a multiple of 64 up to 8192");
    line.add("--seed", seed_, "Of all numbers; results of different seeds cannot be compared");
  }

  void expect_possible(const Context& context) const override {
    choice_.expect_possible(context);
    if (size_ == 0 || size_ % size_step != 0 || size_ > benchmarks::largest_product)
      throw UsageError(
          fmt::format("--size {}: give a multiple of {} up to {}", size_, size_step, benchmarks::largest_product));
  }

  void run(Context& context) override {
    const auto gpus = choice_.gpus(context);
    const bool thorough = context.tier() == results::Tier::full;
    ComputeTest(context, {.size = size_, .seed = seed_, .time = std::chrono::milliseconds(thorough ? 10'000 : 300)})
        .run(gpus);
  }

 private:
  GpuChoice choice_;
  std::size_t size_ = usual_size;
  std::size_t seed_ = usual_seed;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<GpuCompute>(); }

}  // namespace muster::healthcheck
