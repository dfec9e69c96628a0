// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/cuda/copy_ends.hpp"
#include "benchmarks/cuda/gate.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/host/binding.hpp"
#include "benchmarks/sampling/culprit.hpp"
#include "benchmarks/sampling/sampler.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/gpu_choice.hpp"
#include "healthcheck/check/rate_fact.hpp"
#include "healthcheck/parts/cuda/copy_rates.hpp"
#include "healthcheck/parts/cuda/gpu_copier.hpp"
#include "healthcheck/program/command_line.hpp"

namespace muster::healthcheck {
namespace {

namespace host = benchmarks::host;
namespace cuda = benchmarks::cuda;
using benchmarks::Sampled;
using benchmarks::cuda::Copy;
using benchmarks::cuda::CopyEngine;
using benchmarks::cuda::HostEnd;
using results::Limit;

constexpr std::size_t usual_bytes = std::size_t{64} << 20;
constexpr std::size_t min_bytes = cuda::sweep_tile * sizeof(std::uint64_t);
constexpr std::size_t small_bytes = 16;
constexpr std::size_t copies_under_load = 64;  // while NVML is asked

struct CopySetting {
  std::size_t bytes = 0;
  std::uint64_t seed = 0;
  std::chrono::milliseconds time{};  // of each rate
};

class CopyTest {
  using Pair = std::pair<GpuCopier*, GpuCopier*>;

 public:
  CopyTest(Context& context, CopySetting setting)
      : context_(context),
        setting_(setting),
        topology_(host::load_topology()),
        allowed_(host::allowed_cpus(topology_.get())),
        nodes_(host::numa_nodes(topology_.get(), allowed_.get())),
        rates_(setting.time, context.deadline()) {}

  void run(const std::vector<SelectedGpu>& chosen) {
    for (const auto& gpu : chosen) take(gpu);
    try {
      for (const auto& gpu : gpus_) attempt({gpu.get()}, [&] { alone(*gpu); });
      together();
      pairs();
    } catch (const benchmarks::Error&) {
      for (const auto& gpu : gpus_) conclude(*gpu);
      throw;
    }
    for (const auto& gpu : gpus_) {
      conclude(*gpu);
      context_.add("gpu_copy.outcome", gpu->trouble.value_or("completed"), gpu->chosen().labels());
    }
  }

 private:
  // Takes the memories of a GPU, or says why it cannot.
  void take(const SelectedGpu& chosen) {
    phase("taking memory of", chosen);
    const auto sides = host::sides(nodes_, chosen.numa_node);
    bind(sides.near);
    try {
      gpus_.push_back(std::make_unique<GpuCopier>(
          chosen, GpuCopier::Place{.sides = sides, .bytes = setting_.bytes, .seed = setting_.seed}, context_.sysfs()));
    } catch (const benchmarks::Error& error) {
      return context_.add("gpu_copy.access", refusal_of_cuda(error.what()), chosen.labels());
    }
    context_.add("gpu_copy.access", "granted", chosen.labels());
  }

  // What one GPU does while all others rest.
  void alone(GpuCopier& gpu) {
    phase("copying with", gpu.chosen());
    bind(gpu.place().sides.near);
    both_directions(gpu, "bandwidth", gpu.host(), CopyEngine::engine);
    add_rate(gpu, "bandwidth", "both", rates_.of_all({gpu.in(), gpu.out()}), twice(gpu.pcie()));
    both_directions(gpu, "kernel_bandwidth", gpu.host(), CopyEngine::kernel);
    rates_.once({repeated(gpu.in(), copies_under_load), repeated(gpu.out(), copies_under_load)},
                [&] { gpu.links().look(); });
    add_rate(gpu, "latency", to_device, rates_.seconds(shortened(gpu.in(), small_bytes)));
    add_rate(gpu, "latency", to_host, rates_.seconds(shortened(gpu.out(), small_bytes)));
    pageable(gpu);
    if (!gpu.place().sides.far) return;
    bind(gpu.place().sides.far);
    const HostEnd far(setting_.bytes, gpu.host().pattern(), HostEnd::Pages::pinned);
    both_directions(gpu, "far_bandwidth", far, CopyEngine::engine);
  }

  // To the device and back, and whether all arrived.
  void both_directions(GpuCopier& gpu, std::string_view subject, const HostEnd& host, CopyEngine mover) {
    gpu.clear(host);
    add_rate(gpu, subject, to_device, rates_.of_each({gpu.in(host, mover)}).front(), gpu.pcie());
    add_rate(gpu, subject, to_host, rates_.of_each({gpu.out(host, mover)}).front(), gpu.pcie());
    gpu.look(host);
  }

  void pageable(GpuCopier& gpu) {
    const HostEnd host(setting_.bytes, gpu.host().pattern(), HostEnd::Pages::pageable);
    gpu.clear(host);
    add_rate(gpu, "pageable_bandwidth", to_device, rates_.of_pageable(gpu.memory().from(host)));
    add_rate(gpu, "pageable_bandwidth", to_host, rates_.of_pageable(gpu.memory().to(host)));
    gpu.look(host);
  }

  // All GPUs at once, each with the memory beside it.
  void together() {
    const auto working = those_that_work();
    if (working.size() < 2) return;
    context_.phase("copying with all GPUs at once");
    attempt(working, [&] {
      for (auto* gpu : working) gpu->clear(gpu->host());
      for (const auto direction : {to_device, to_host}) {
        std::vector<Copy> all;
        for (const auto* gpu : working) all.push_back(direction == to_device ? gpu->in() : gpu->out());
        const auto rates = rates_.of_each(all);
        for (std::size_t index = 0; index < working.size(); ++index)
          add_rate(*working[index], "together_bandwidth", direction, rates[index], working[index]->pcie());
      }
      for (auto* gpu : working) gpu->look(gpu->host());
    });
  }

  // In rounds of disjoint pairs, each direction of its own.
  void pairs() {
    const auto working = those_that_work();
    if (working.size() < 2) return;
    std::vector<std::size_t> reached(working.size());
    for (const auto& round : benchmarks::rounds(working.size(), working.size())) {
      std::vector<Pair> forth;
      std::vector<Pair> back;
      for (const auto& [one, other] : round)
        if (!working[one]->trouble && !working[other]->trouble && reach_each_other(*working[one], *working[other])) {
          ++reached[one];
          ++reached[other];
          forth.emplace_back(working[one], working[other]);
          back.emplace_back(working[other], working[one]);
        }
      attempt(working, [&] {
        for (const auto& direction : {forth, back}) between(direction);
        if (context_.tier() == results::Tier::full)
          for (const auto& pair : forth) between_both(pair);
      });
    }
    for (std::size_t index = 0; index < working.size(); ++index)
      context_.add("gpu_copy.peers_reached", results::count(reached[index]), working[index]->chosen().labels());
  }

  void between(const std::vector<Pair>& pairs) {
    if (pairs.empty()) return;
    std::vector<Copy> all;
    for (const auto& [gpu, partner] : pairs) {
      phase("copying to a peer from", gpu->chosen());
      partner->memory().clear_target();
      all.push_back(gpu->to(*partner));
    }
    const auto rates = rates_.of_each(all);
    for (std::size_t index = 0; index < pairs.size(); ++index) {
      const auto& [gpu, partner] = pairs[index];
      add_rate(*gpu, "bandwidth", GpuCopier::to_peer, rates[index], gpu->nvlinks_to(*partner), partner);
      gpu->look(*partner);
    }
  }

  void between_both(const Pair& pair) {
    const auto& [gpu, partner] = pair;
    add_rate(*gpu, "bandwidth", "peer_to_peer_both", rates_.of_all({gpu->to(*partner), partner->to(*gpu)}),
             twice(gpu->nvlinks_to(*partner)), partner);
  }

  // What was found of it so far.
  void conclude(const GpuCopier& gpu) {
    for (const auto& [direction, words] : gpu.wrong()) {
      auto labels = gpu.chosen().labels();
      labels.emplace("direction", direction);
      context_.add("gpu_copy.wrong_elements", results::count(words), std::move(labels));
    }
    gpu.links().add(context_, "gpu_copy", gpu.chosen().labels());
  }

  // What some GPUs cannot go on with is their own affair: those that do not even come to rest any more.
  template <class Part>
  static void attempt(const std::vector<GpuCopier*>& gpus, const Part& part) {
    try {
      return part();
    } catch (const benchmarks::Error&) {
      bool is_known = false;
      for (auto* gpu : gpus) {
        gpu->trouble = cuda::trouble_of(gpu->memory().device());
        is_known = is_known || gpu->trouble;
      }
      if (!is_known) throw;
    }
  }
  std::vector<GpuCopier*> those_that_work() const {
    std::vector<GpuCopier*> working;
    for (const auto& gpu : gpus_)
      if (!gpu->trouble) working.push_back(gpu.get());
    return working;
  }

  static std::optional<Limit> twice(std::optional<Limit> limit) {
    if (limit) limit->value.value *= 2;
    return limit;
  }
  void add_rate(const GpuCopier& gpu, std::string_view subject, std::string_view direction, const Sampled& rates,
                std::optional<Limit> limit = {}, const GpuCopier* partner = nullptr) {
    auto labels = gpu.chosen().labels();
    labels.emplace("direction", direction);
    if (partner != nullptr) labels.emplace("partner", std::to_string(partner->chosen().index));
    context_.add(rate_fact(fmt::format("gpu_copy.{}", subject), rates, std::move(labels), std::move(limit)));
  }

  static bool reach_each_other(const GpuCopier& one, const GpuCopier& other) {
    return cuda::reach_peer(one.memory().device(), other.memory().device()) &&
           cuda::reach_peer(other.memory().device(), one.memory().device());
  }
  void bind(const std::optional<unsigned>& cpu) const {
    if (cpu) host::bind_thread(topology_.get(), *cpu);
  }
  void phase(std::string_view what, const SelectedGpu& gpu) {
    context_.phase(fmt::format("{} GPU {} at {}", what, gpu.index, gpu.address));
  }

  static constexpr auto to_device = GpuCopier::to_device;
  static constexpr auto to_host = GpuCopier::to_host;

  Context& context_;
  CopySetting setting_;
  host::Topology topology_;
  host::CpuSet allowed_;
  std::vector<host::NumaNode> nodes_;
  std::vector<std::unique_ptr<GpuCopier>> gpus_;
  CopyRates rates_;
};

class GpuCopy final : public Check {
 public:
  Description describe() const override {
    return {.name = "gpu_copy",
            .summary = "Copies between host and GPUs and between all GPUs, by engine and kernel, verified",
            .scope = Scope::all_gpus,
            .resources = {Resource::gpu, Resource::memory},
            .tier = results::Tier::quick,
            .typical_seconds = 12};
  }

  void add_options(CommandLine& line) override { line.add_bytes("--bytes", bytes_, min_bytes, "Size of each copy"); }

  void run(Context& context) override {
    cuda::load_kernels_at_start();
    const auto gpus = all_gpus(context);
    const bool thorough = context.tier() == results::Tier::full;
    CopyTest(context, {.bytes = bytes_ / min_bytes * min_bytes,
                       .seed = std::random_device()(),
                       .time = std::chrono::milliseconds(thorough ? 1000 : 50)})
        .run(gpus);
  }

 private:
  std::size_t bytes_ = usual_bytes;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<GpuCopy>(); }

}  // namespace muster::healthcheck
