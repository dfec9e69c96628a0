// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/verbs/rdma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <utility>

#include "benchmarks/collective.hpp"
#include "benchmarks/error.hpp"
#include "healthcheck/error.hpp"
#include "topology/traffic.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::RdmaOperation;
using results::Labels;
using results::Measurement;
using results::Quantity;
using Clock = std::chrono::steady_clock;

constexpr std::array all_operations = {RdmaOperation::write, RdmaOperation::read, RdmaOperation::send};
constexpr auto name_of = [](RdmaOperation operation) { return std::string(benchmarks::to_text(operation)); };
constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of one message (IBTA: 2 GiB)
constexpr std::size_t most_depth = 4096;
constexpr std::size_t messages_to_and_fro = 10'000;  // ten of them lie above the percentile 99.9

bool wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

std::string_view quantity(benchmarks::Flow flow) { return flow == benchmarks::Flow::stream ? "bandwidth" : "latency"; }

std::string path_of(const benchmarks::Passage& passage) {
  if (!passage.sent_bytes) return "unseen";
  return *passage.sent_bytes >= passage.payload_bytes ? "wire" : "loop-back";
}

}  // namespace

Labels RdmaEnd::labels() const {
  return {{"nic", hca.name}, {"port", std::to_string(port.number)}, {"link_layer", port.link_layer}};
}

benchmarks::CountedPort RdmaEnd::counted(const Context& context) const {
  return {.port = opened.get(), .sent = [&] { return topology::sent_bytes(context.sysfs(), hca, port); }};
}

std::string RdmaRequest::metric(std::string_view name) const { return fmt::format("{}.{}", check, name); }

std::string RdmaRequest::measured() const { return metric(quantity(flow)); }

std::string RdmaRequest::measured_of_pair() const { return metric(fmt::format("pair_{}", quantity(flow))); }

void RdmaRequest::expect_possible(const topology::Sysfs& sysfs) const {
  const auto known = topology::hcas(sysfs);
  for (const auto& name : nics)
    if (std::ranges::find(known, name, &topology::Hca::name) == known.end())
      throw UsageError(fmt::format("--nic: there is no RDMA device {}; sys/class/infiniband lists them", name));
  for (const auto& name : operations)
    if (std::ranges::find(all_operations, name, name_of) == all_operations.end())
      throw UsageError(fmt::format("--operation: '{}' is none of write, read, send", name));
  if (shape.bytes % sizeof(double) != 0 || shape.bytes > most_bytes)
    throw UsageError(fmt::format("--size: {} is no multiple of 8 up to 1 GiB", shape.bytes));
  if (shape.depth == 0 || shape.depth > most_depth)
    throw UsageError(fmt::format("--tx-depth: {} is not from 1 to {}", shape.depth, most_depth));
}

std::vector<RdmaEnd> RdmaRequest::ends(const topology::Sysfs& sysfs) const {
  std::vector<RdmaEnd> all;
  for (const auto& hca : topology::hcas(sysfs))
    for (const auto& port : hca.ports)
      if (wanted(nics, hca.name)) all.push_back({.hca = hca, .port = port, .opened = nullptr});
  return all;
}

std::vector<RdmaOperation> RdmaRequest::chosen() const {
  std::vector<RdmaOperation> all;
  std::ranges::copy_if(all_operations, std::back_inserter(all),
                       [&](RdmaOperation operation) { return wanted(operations, name_of(operation)); });
  return all;
}

Labels RdmaRequest::labels(RdmaOperation operation, Labels where) const {
  where.insert({{"operation", name_of(operation)}, {"size", benchmarks::size_text(shape.bytes)}, {"memory", "host"}});
  return where;
}

benchmarks::Traffic RdmaRequest::traffic(const Context& context, RdmaOperation operation, Labels where,
                                         Shares& shares) const {
  auto goal = context.goal(measured(), labels(operation, std::move(where)));
  if (iterations || flow == benchmarks::Flow::ping_pong)
    goal = {.edges = {}, .noise = {}, .count = iterations.value_or(messages_to_and_fro)};
  const Clock::duration enough =
      context.tier() == results::Tier::full ? std::chrono::minutes(1) : std::chrono::seconds(3);
  const auto now = Clock::now();
  const auto most = (context.deadline() - now) / static_cast<long>(shares.left--);
  return {.flow = flow,
          .operation = operation,
          .shape = shape,
          .goal = goal,
          .end = now + (goal.edges || iterations ? most : std::min(most, enough / static_cast<long>(shares.all)))};
}

Measurement RdmaRequest::fact(std::string_view name, results::Value value, Labels labels) const {
  return {.metric = metric(name), .value = std::move(value), .labels = std::move(labels)};
}

Measurement RdmaRequest::open(RdmaEnd& port, Labels labels) const {
  try {
    port.opened = std::make_unique<benchmarks::RdmaPort>(port.hca.name, port.port.number);
    return fact("gid", port.opened->gid().reason, std::move(labels));
  } catch (const benchmarks::Error& error) {
    return fact("refused", error.what(), std::move(labels));
  }
}

Measurement RdmaRequest::lost(const benchmarks::Passage& passage, Labels labels) const {
  std::string words = "not active any more";
  if (!passage.problem.empty()) words += ": " + passage.problem;
  return fact("port_lost", std::move(words), std::move(labels));
}

std::vector<Measurement> RdmaRequest::facts_of(const benchmarks::Passage& passage, std::string metric,
                                               Labels labels) const {
  if (!passage.sampled) return {};
  labels.emplace("path", path_of(passage));
  auto [samples, stopping, warm_up] = *passage.sampled;
  const auto summary = results::summarize(samples);
  std::vector<Measurement> facts{{.metric = std::move(metric),
                                  .value = Quantity{summary.median, samples.unit},
                                  .labels = labels,
                                  .summary = summary,
                                  .stopping = stopping}};
  if (flow == benchmarks::Flow::ping_pong) {
    std::ranges::sort(samples.values);
    facts.push_back(fact("p99_9", Quantity{results::quantile(samples.values, 0.999), samples.unit}, labels));
  }
  if (passage.sent_bytes)
    facts.push_back(fact("wire_share", Quantity{*passage.sent_bytes / passage.payload_bytes}, labels));
  facts.push_back(fact("wrong_bytes", results::count(passage.wrong_bytes), labels));
  return facts;
}

}  // namespace muster::healthcheck
