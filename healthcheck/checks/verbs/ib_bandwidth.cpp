// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/collective.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/sampler.hpp"
#include "benchmarks/verbs/loop_back.hpp"
#include "benchmarks/verbs/port.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/context.hpp"
#include "healthcheck/error.hpp"
#include "topology/infiniband.hpp"
#include "topology/traffic.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::RdmaOperation;
using results::Labels;
using results::Quantity;
using results::Unit;
using topology::Hca;
using topology::HcaPort;

constexpr std::array operations = {RdmaOperation::write, RdmaOperation::read, RdmaOperation::send};
constexpr auto name_of = [](RdmaOperation operation) { return std::string(benchmarks::to_text(operation)); };
constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of one message (IBTA: 2 GiB)
constexpr std::size_t most_depth = 4096;

class IbBandwidth final : public Check {
 public:
  Description describe() const override {
    return {.name = "ib_bandwidth",
            .summary = "RDMA write, read and send of every active port in loop-back, every byte verified",
            .scope = Scope::once,
            .resources = {Resource::cpu, Resource::memory, Resource::nic},
            .tier = results::Tier::quick,
            .typical_seconds = 3};
  }

  void add_options(CommandLine& line) override {
    line.add_list("--nic", nics_, "These RDMA devices instead of all, separated by commas");
    line.add_list("--operation", operations_, "Of write, read and send, separated by commas (default: all)");
    line.add_bytes("-s,--size", shape_.bytes, sizeof(double), "Size of a message, a multiple of 8");
    line.add("-t,--tx-depth", shape_.depth, "How many messages are under way at once");
  }

  void expect_possible(const Context& context) const override {
    const auto known = topology::hcas(context.sysfs());
    for (const auto& name : nics_)
      if (std::ranges::find(known, name, &Hca::name) == known.end())
        throw UsageError(fmt::format("--nic: there is no RDMA device {}; sys/class/infiniband lists them", name));
    for (const auto& name : operations_)
      if (std::ranges::find(operations, name, name_of) == operations.end())
        throw UsageError(fmt::format("--operation: '{}' is none of write, read, send", name));
    if (shape_.bytes % sizeof(double) != 0 || shape_.bytes > most_bytes)
      throw UsageError(fmt::format("--size: {} is no multiple of 8 up to 1 GiB", shape_.bytes));
    if (shape_.depth == 0 || shape_.depth > most_depth)
      throw UsageError(fmt::format("--tx-depth: {} is not from 1 to {}", shape_.depth, most_depth));
  }

  void run(Context& context) override {
    const auto hcas = topology::hcas(context.sysfs());
    if (hcas.empty()) throw Skip("no RDMA device");
    std::vector<std::pair<const Hca*, const HcaPort*>> active;
    for (const auto& hca : hcas)
      for (const auto& port : hca.ports)
        if (port.state == "ACTIVE" && wanted(nics_, hca.name)) active.emplace_back(&hca, &port);
    context.add("ib_bandwidth.active_ports", results::count(active.size()));
    if (active.empty()) throw Skip("no port is active");
    const auto chosen = std::ranges::count_if(
        operations, [&](RdmaOperation operation) { return wanted(operations_, name_of(operation)); });
    const auto share = std::chrono::milliseconds(context.tier() == results::Tier::full ? 60'000 : 3'000) /
                       (chosen * std::ssize(active));
    for (const auto& [hca, port] : active) {
      try {
        measure(context, *hca, *port, share);
      } catch (const benchmarks::Error& error) {
        context.add("ib_bandwidth.refused", std::string(error.what()), of(*hca, *port));
      }
    }
  }

 private:
  static bool wanted(const std::vector<std::string>& names, std::string_view name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
  }

  static Labels of(const Hca& hca, const HcaPort& port) {
    return {{"nic", hca.name}, {"port", std::to_string(port.number)}, {"link_layer", port.link_layer}};
  }

  void measure(Context& context, const Hca& hca, const HcaPort& hca_port, std::chrono::milliseconds share) const {
    const benchmarks::RdmaPort port(hca.name, hca_port.number);
    context.add("ib_bandwidth.gid", port.gid().reason, of(hca, hca_port));
    for (const auto operation : operations) {
      if (!wanted(operations_, name_of(operation))) continue;
      context.phase(fmt::format("{} over port {} of {}", name_of(operation), hca_port.number, hca.name));
      Labels labels = of(hca, hca_port);
      labels.insert(
          {{"operation", name_of(operation)}, {"size", benchmarks::size_text(shape_.bytes)}, {"memory", "host"}});
      const auto before = topology::sent_bytes(context.sysfs(), hca, hca_port);
      benchmarks::LoopBack loop(port, operation, shape_);
      const auto sampled =
          benchmarks::sample_each([&] { return std::vector{loop.rate()}; }, Unit::bit_per_second,
                                  context.goal("ib_bandwidth.bandwidth", labels),
                                  {.end = std::min(std::chrono::steady_clock::now() + share, context.deadline())});
      const double payload = loop.finish();
      labels.emplace("path",
                     path(context, before, topology::sent_bytes(context.sysfs(), hca, hca_port), payload, labels));
      const auto summary = results::summarize(sampled.front().samples);
      context.add({.metric = "ib_bandwidth.bandwidth",
                   .value = Quantity{summary.median, Unit::bit_per_second},
                   .labels = labels,
                   .summary = summary,
                   .stopping = sampled.front().stopping});
      context.add("ib_bandwidth.wrong_bytes", results::count(loop.wrong_bytes()), labels);
    }
  }

  // Whether the wire carried the payload, by the port's own counters.
  static std::string path(Context& context, std::optional<std::int64_t> before, std::optional<std::int64_t> after,
                          double payload, const Labels& labels) {
    if (!before || !after) return "unseen";
    const double share = static_cast<double>(*after - *before) / payload;
    context.add("ib_bandwidth.wire_share", Quantity{share}, labels);
    return share >= 1 ? "wire" : "loop-back";
  }

  std::vector<std::string> nics_;
  std::vector<std::string> operations_;
  benchmarks::LoopBack::Shape shape_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<IbBandwidth>(); }

}  // namespace muster::healthcheck
