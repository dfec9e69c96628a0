// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/cuda/gate.hpp"
#include "benchmarks/cuda/gpu_streams.hpp"
#include "benchmarks/cuda/gpu_words.hpp"
#include "benchmarks/data/memory_march.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/sampling/sampler.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/gpu_choice.hpp"
#include "healthcheck/check/rate_fact.hpp"
#include "healthcheck/parts/nvml/memory_errors.hpp"
#include "healthcheck/parts/nvml/nvml_probe.hpp"

namespace muster::healthcheck {
namespace {

namespace cuda = benchmarks::cuda;
using benchmarks::cuda::GpuStreams;
using benchmarks::cuda::GpuWords;
using benchmarks::cuda::VacantMemory;
using results::Labels;
using results::Quantity;
using results::Unit;

Quantity bytes(double value) { return {.value = value, .unit = Unit::byte}; }

std::optional<results::Limit> limit() {
  const auto known = cuda::memory_limit();
  if (!known) return std::nullopt;
  return results::Limit{.value = {known->bytes_per_second, Unit::byte_per_second}, .source = known->source};
}

// The facts of one GPU.
class MemoryTest {
 public:
  MemoryTest(Context& context, const SelectedGpu& gpu, const VacantMemory& memory, std::uint64_t seed)
      : context_(context), gpu_(gpu), labels_(gpu.labels()), memory_(memory), seed_(seed), asked_(gpu.address) {}

  void run() {
    const auto taken = static_cast<double>(memory_.range().size());
    add("tested", bytes(taken));
    add("tested_share", Quantity{taken / memory_.all_bytes(), Unit::one});
    add("seed", fmt::format("{:#x}", seed_));
    add("outcome", outcome());
    errors_.add_growth(context_, "gpu_memory", labels_);
  }

 private:
  // "completed", or what CUDA says where the GPU does not go on.
  std::string outcome() {
    try {
      stream();
      march();
      return "completed";
    } catch (const benchmarks::Error&) {
      const auto trouble = cuda::trouble_of(memory_.device());
      if (!trouble) throw;  // is none of the GPU's
      return *trouble;
    }
  }

  void stream() {
    phase("streaming through");
    GpuStreams streams(memory_);
    const auto cycle = [&] {
      const auto rates = streams.cycle();
      return std::vector(rates.begin(), rates.end());
    };
    const auto time = std::chrono::milliseconds(context_.tier() == results::Tier::full ? 20'000 : 500);
    const auto end = std::min(std::chrono::steady_clock::now() + time, context_.deadline());
    const auto sampled =
        benchmarks::sample_each(cycle, Unit::byte_per_second, benchmarks::SamplingGoal{}, {.end = end});
    add("array_size", bytes(static_cast<double>(streams.array_bytes())));
    for (const auto kernel : benchmarks::stream_kernels) {
      auto labels = labels_;
      labels.emplace("kernel", to_text(kernel));
      context_.add(
          rate_fact("gpu_memory.bandwidth", sampled.at(static_cast<std::size_t>(kernel)), std::move(labels), limit()));
    }
    add("wrong_sums", results::count(streams.wrong_sums()));
  }

  void march() {
    GpuWords words(memory_);
    std::uint64_t wrong = 0;
    for (const auto& how : benchmarks::marches(seed_, context_.tier() == results::Tier::full)) {
      phase(how.name);
      const auto marched = benchmarks::march(words, how);
      wrong += marched.wrong;
      auto labels = labels_;
      labels.emplace("pattern", how.name);
      if (how.pattern.seed != 0 && how.pattern.filling == benchmarks::Filling::walking_one)
        labels.emplace("turn", std::to_string(how.pattern.seed));
      context_.add("gpu_memory.sweep_bandwidth", Quantity{marched.bytes / marched.seconds, Unit::byte_per_second},
                   labels);
      if (!marched.first) continue;
      labels.merge(asked_.identity());
      context_.add("gpu_memory.first_wrong", to_text(*marched.first), labels);
      context_.add("gpu_memory.wrong_bits", benchmarks::bit_positions(marched.differing), labels);
    }
    add("wrong_words", results::count(wrong));
  }

  void phase(std::string_view what) { context_.phase(fmt::format("{}, GPU {} at {}", what, gpu_.index, gpu_.address)); }
  void add(std::string_view subject, results::Value value) {
    context_.add(fmt::format("gpu_memory.{}", subject), std::move(value), labels_);
  }

  Context& context_;
  const SelectedGpu& gpu_;
  Labels labels_;
  const VacantMemory& memory_;
  std::uint64_t seed_;
  NvmlProbe asked_;
  MemoryErrors errors_{asked_};
};

class GpuMemory final : public Check {
 public:
  Description describe() const override {
    return {.name = "gpu_memory",
            .summary = "Bandwidth of GPU memory by five kernels, and whether all of it keeps what is written",
            .scope = Scope::per_gpu,
            .resources = {Resource::gpu},
            .tier = results::Tier::quick,
            .typical_seconds = 3};
  }

  void add_options(CommandLine& line) override {
    choice_.add_to(line);
    line.add("--seed", seed_, "Of the random pattern, to repeat that of a report (default: another each time)");
  }

  void expect_possible(const Context& context) const override { choice_.expect_possible(context); }

  void run(Context& context) override {
    cuda::load_kernels_at_start();
    const std::uint64_t seed = seed_ ? *seed_ : std::random_device()();
    for (const auto& gpu : choice_.gpus(context)) test(context, gpu, seed);
  }

 private:
  static void test(Context& context, const SelectedGpu& gpu, std::uint64_t seed) {
    context.phase(fmt::format("taking the memory, GPU {} at {}", gpu.index, gpu.address));
    std::optional<VacantMemory> memory;
    try {
      memory.emplace(gpu.address);
    } catch (const benchmarks::Error& error) {
      return context.add("gpu_memory.access", refusal_of_cuda(error.what()), gpu.labels());
    }
    context.add("gpu_memory.access", "granted", gpu.labels());
    MemoryTest(context, gpu, *memory, seed).run();
  }

  GpuChoice choice_;
  std::optional<std::size_t> seed_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<GpuMemory>(); }

}  // namespace muster::healthcheck
