// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/verbs/rdma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "benchmarks/ranks/ranks.hpp"
#include "benchmarks/sampling/sizes.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/check/pair_facts.hpp"
#include "healthcheck/check/rate_fact.hpp"
#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

namespace verbs = benchmarks::verbs;
using benchmarks::verbs::RdmaOperation;
using results::Labels;
using results::Measurement;
using results::Quantity;
using Clock = std::chrono::steady_clock;

constexpr std::array all_operations = {RdmaOperation::write, RdmaOperation::read, RdmaOperation::send};
constexpr std::array<std::string_view, 2> all_memories = {"host", "gpu"};
constexpr auto name_of = [](RdmaOperation operation) { return std::string(to_text(operation)); };
constexpr std::size_t max_bytes = std::size_t{1} << 30;  // of one message (IBTA: 2 GiB)
constexpr std::size_t max_depth = 4096;
constexpr std::size_t messages_to_and_fro = 10'000;  // ten of them lie above the percentile 99.9

std::string_view quantity(verbs::Flow flow) { return flow == verbs::Flow::stream ? "bandwidth" : "latency"; }

// By name, of all machines of the job; one that lost its own is to be named, not refused. Collective.
std::set<std::string> all_adapters(const Context& context) {
  std::string own;
  for (const auto& hca : topology::hcas(context.sysfs())) own += hca.name + "\n";
  const bool is_alone = context.hosts().size() < 2;
  std::set<std::string> all;
  for (const auto& text : is_alone ? std::vector{own} : benchmarks::all_gather(context.ranks(), own)) {
    std::istringstream lines(text);
    for (std::string name; std::getline(lines, name);) all.insert(name);
  }
  return all;
}

std::vector<Measurement> from_receivers(std::vector<Measurement> pairs) {
  for (Measurement& pair : pairs) pair.labels = seen_from_partner(std::move(pair.labels));
  return pairs;
}

// Those of this metric, which the others then are without.
std::vector<Measurement> extracted(std::vector<Measurement>& facts, std::string_view metric) {
  const auto found =
      std::ranges::stable_partition(facts, [&](const Measurement& each) { return each.metric != metric; });
  std::vector<Measurement> those(std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  facts.erase(found.begin(), found.end());
  return those;
}

// "host1 mlx5_ib0", or of one machine "mlx5_ib0".
std::string name_of_end(const Labels& end) {
  const auto host = end.find("host");
  return host == end.end() ? end.at("nic") : host->second + " " + end.at("nic");
}

// Of all the time, with its pauses, as perftest gives it; or less, for a sample of a pause has fewer bytes than others.
double average_rate(const std::vector<double>& rates) {
  double times = 0;
  for (const double rate : rates) times += 1 / rate;
  return static_cast<double>(rates.size()) / times;
}

// Nothing that a port sends to itself needs the wire, whatever else it carries meanwhile.
std::string path_of(const verbs::TransferResult& passage) {
  if (passage.is_to_itself) return "loop-back";
  if (!passage.sent_bytes) return "unseen";
  return *passage.sent_bytes >= passage.payload_bytes ? "wire" : "loop-back";
}

}  // namespace

std::string RdmaRequest::metric(std::string_view name) const { return results::metric_name(check, name); }

std::string RdmaRequest::measured() const { return metric(quantity(flow)); }

std::string RdmaRequest::measured_of_receiver() const { return metric(of_receiver(quantity(flow))); }

std::string RdmaRequest::measured_of_pair() const { return metric(fmt::format("pair_{}", quantity(flow))); }

void RdmaRequest::expect_possible(const Context& context) const {
  const auto known = all_adapters(context);
  for (const auto& name : nics)
    if (!known.contains(name))
      throw UsageError(fmt::format("--nic: there is no RDMA device {}; sys/class/infiniband lists them", name));
  for (const auto& name : operations)
    if (std::ranges::find(all_operations, name, name_of) == all_operations.end())
      throw UsageError(fmt::format("--operation: '{}' is not one of write, read, send", name));
  for (const auto& name : memories)
    if (std::ranges::find(all_memories, name) == all_memories.end())
      throw UsageError(fmt::format("--memory: '{}' is not one of host, gpu", name));
  if (shape.bytes % sizeof(double) != 0 || shape.bytes > max_bytes)
    throw UsageError(fmt::format("--size: {} is not a multiple of 8 up to 1 GiB", shape.bytes));
  if (shape.depth == 0 || shape.depth > max_depth)
    throw UsageError(fmt::format("--tx-depth: {} is not from 1 to {}", shape.depth, max_depth));
  if (is_both_ways && iterations)
    throw UsageError("--bidirectional measures for a time, so that no direction is alone: leave out --iterations");
  if (shape.queue_pairs == 0 || shape.queue_pairs > verbs::max_queue_pairs)
    throw UsageError(fmt::format("--qp: {} is not from 1 to {}", shape.queue_pairs, verbs::max_queue_pairs));
  if (shape.bytes > max_bytes / shape.queue_pairs)
    throw UsageError(fmt::format("--size: a message of {} for each of {} queue pairs is more than 1 GiB",
                                 benchmarks::size_text(shape.bytes), shape.queue_pairs));
  if (shape.timeout == 0 || shape.timeout > verbs::max_timeout)
    throw UsageError(fmt::format("--qp-timeout: {} is not from 1 to {}: what takes {} s is called broken",
                                 shape.timeout, verbs::max_timeout, verbs::completion_timeout.count()));
}

void RdmaRequest::select(Context& context) const {
  context.select("size", {benchmarks::size_text(shape.bytes)});
  for (const auto& [label, values] :
       {std::pair("nic", &nics), std::pair("operation", &operations), std::pair("memory", &memories)})
    if (!values->empty()) context.select(label, *values);
}

std::vector<RdmaCase> RdmaRequest::transfers(bool any_reaches_gpu) const {
  std::vector<RdmaCase> all;
  for (const bool is_of_gpus : {false, true}) {
    if (is_of_gpus ? !any_reaches_gpu : !wanted(memories, "host")) continue;
    for (const auto operation : all_operations)
      if (wanted(operations, name_of(operation))) all.push_back({.operation = operation, .is_of_gpus = is_of_gpus});
  }
  return all;
}

Labels RdmaRequest::labels(const RdmaCase& transfer, Labels where) const {
  where.insert({{"operation", name_of(transfer.operation)},
                {"size", benchmarks::size_text(shape.bytes)},
                {"memory", transfer.is_of_gpus ? "gpu" : "host"}});
  if (is_both_ways) where.emplace("direction", "both");
  if (is_one_by_one) where.emplace("ports", "one by one");
  if (shape.queue_pairs > 1) where.emplace("queue_pairs", std::to_string(shape.queue_pairs));
  const auto depth = that_fits(shape).depth;
  if (flow == verbs::Flow::stream && depth != verbs::MessageShape{}.depth)
    where.emplace("depth", std::to_string(depth));
  return where;
}

verbs::Traffic RdmaRequest::traffic(const Context& context, const RdmaCase& transfer, Labels where,
                                    TimeShares& shares) const {
  auto goal = context.goal(measured(), labels(transfer, std::move(where)));
  const Clock::duration enough_for_all =
      context.tier() == results::Tier::full ? std::chrono::minutes(1) : std::chrono::seconds(3);
  const auto enough = enough_for_all / static_cast<long>(shares.all);
  if (iterations) {
    goal = {.thresholds = {}, .noise = {}, .count = iterations};
  } else if (flow == verbs::Flow::ping_pong) {
    goal.count = messages_to_and_fro;
    goal.time = enough;
  }
  const auto now = Clock::now();
  const auto given = context.deadline() - now;
  const auto left = std::max({Clock::duration::zero(), given - verbs::max_ending_time, given / 2});
  const auto most = left / static_cast<long>(shares.left--);
  const bool needs_all = !is_both_ways && (goal.thresholds || iterations);
  return {.flow = flow,
          .is_both_ways = is_both_ways,
          .operation = transfer.operation,
          .shape = that_fits(shape),
          .goal = goal,
          .end = now + (needs_all ? most : std::min(most, enough))};
}

Measurement RdmaRequest::fact(std::string_view name, results::Value value, Labels labels) const {
  return {.metric = metric(name), .value = std::move(value), .labels = std::move(labels)};
}

Measurement RdmaRequest::lost(const verbs::TransferResult& passage, Labels labels) const {
  std::string words = "not active any more";
  if (!passage.problem.empty()) words += ": " + passage.problem;
  return fact("port_lost", std::move(words), std::move(labels));
}

std::vector<Measurement> RdmaRequest::facts_of(const verbs::TransferResult& passage, std::optional<double> rate,
                                               std::string metric, Labels labels) const {
  if (!passage.sampled) return {};
  const auto path = path_of(passage);
  labels.emplace("path", path);
  if (!passage.gpudirect.empty()) labels.emplace("gpudirect", passage.gpudirect);
  std::vector<Measurement> facts{rate_fact(std::move(metric), *passage.sampled, labels)};
  if (rate && flow == verbs::Flow::stream && path == "wire")
    facts.front().limit =
        results::Limit{.value = {*rate, results::Unit::bit_per_second}, .source = "the slower link of its path"};
  if (flow == verbs::Flow::stream) {
    const auto& samples = passage.sampled->samples;
    facts.push_back(fact("average", Quantity{average_rate(samples.values), samples.unit}, labels));
  } else {
    auto samples = passage.sampled->samples;
    std::ranges::sort(samples.values);
    facts.push_back(fact("p99_9", Quantity{results::quantile(samples.values, 0.999), samples.unit}, labels));
  }
  if (passage.sent_bytes)
    facts.push_back(fact("wire_share", Quantity{*passage.sent_bytes / passage.payload_bytes}, labels));
  facts.push_back(fact("wrong_bytes", results::count(passage.wrong_bytes), labels));
  return facts;
}

std::vector<Measurement> RdmaRequest::facts_of_pair(const verbs::TransferResult& passage, std::optional<double> rate,
                                                    const RdmaCase& transfer, const Labels& own,
                                                    const Labels& partner) const {
  auto where = with_partner(labels(transfer, own), partner);  // as pair_facts wants them: from where the data come
  if (verbs::comes_back(transfer.operation)) where = seen_from_partner(std::move(where));
  if (!passage.problem.empty()) return {fact("pair_broken", passage.problem, where)};
  auto facts = facts_of(passage, rate, measured_of_pair(), where);
  if (passage.sampled) facts.push_back(fact("path", path_of(passage), where));
  if (passage.mtus.own != passage.mtus.partners)
    facts.push_back(fact("pair_mtu",
                         fmt::format("{} bytes at {}, {} at {}", passage.mtus.own, name_of_end(own),
                                     passage.mtus.partners, name_of_end(partner)),
                         where));
  if (passage.wrong_answers > 0)
    facts.push_back(fact("wrong_bytes", results::count(passage.wrong_answers), seen_from_partner(where)));
  return facts;
}

void RdmaRequest::tell(Context& context, std::vector<Measurement> facts, std::vector<Measurement>& of_pairs) const {
  for (const auto& name : {measured_of_pair(), metric("pair_mtu"), metric("pair_broken")})
    std::ranges::move(extracted(facts, name), std::back_inserter(of_pairs));
  context.add(std::move(facts));
}

void RdmaRequest::tell_left_out(Context& context, const TimeShares& shares) const {
  if (shares.left_out > 0)
    context.add(metric("left_out"), fmt::format("{} of {} rounds: there was no time", shares.left_out, shares.all));
}

void RdmaRequest::conclude(Context& context, std::vector<Measurement> of_pairs, std::size_t members,
                           const TimeShares& shares) const {
  auto pairs = extracted(of_pairs, measured_of_pair());
  context.add(culprits(extracted(of_pairs, metric("pair_mtu")), metric("mtu_differs")));
  const auto& broken = of_pairs;
  const auto better = flow == verbs::Flow::stream ? Better::higher : Better::lower;
  context.add(middle_pairs(pairs, measured(), better));
  if (flow == verbs::Flow::stream)  // of one partner alone, what it sends says the same
    context.add(middle_pairs(from_receivers(pairs), measured_of_receiver(), better, 2));
  context.add(culprits(broken, metric("broken")));
  if (members > 2) {
    context.add(broken);
    for (Measurement& pair : pairs) pair.stopping.reset();  // which is that of what is judged
    context.add(std::move(pairs));
  }
  tell_left_out(context, shares);
}

}  // namespace muster::healthcheck
