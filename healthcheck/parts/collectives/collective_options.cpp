// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/collective_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/sampling/sizes.hpp"
#include "healthcheck/parts/collectives/groups.hpp"
#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

std::vector<std::string> names(const auto& all) {
  std::vector<std::string> words;
  for (const auto each : all) words.emplace_back(to_text(each));
  return words;
}

auto named(const auto& all, const std::string& name) {
  return *std::ranges::find(all, name, [](auto each) { return std::string(to_text(each)); });
}

}  // namespace

void CollectiveOptions::add_to(CommandLine& line, std::span<const benchmarks::DataType> types,
                               std::span<const benchmarks::Reduction> reductions) {
  line.add_bytes("-b,--min-bytes", least_, 1,
                 fmt::format("Smallest size (default: {})", benchmarks::size_text(usual_.least)));
  line.add_bytes("-e,--max-bytes", greatest_, 1,
                 fmt::format("Greatest size (default: {}, in tier full {})", benchmarks::size_text(usual_.greatest),
                             benchmarks::size_text(usual_.max_in_full)));
  line.add("-f,--step-factor", factor_,
           fmt::format("Each size is so many times the one before (default: {})", usual_.factor));
  line.add_choice("--operation", operation_, names(benchmarks::operations), "Which collective");
  line.add_choice("-d,--dtype", type_, names(types), "Type of the elements");
  line.add_choice("-o,--reduce", reduction_, names(reductions), "How elements are reduced");
  line.add("--in-place", in_place_, "Results replace inputs");
  line.add("--out-of-place", out_of_place_, "Results go to buffers of their own");
  line.add("--both", both_, "Both of these, the default");
  line.add("--split", split_,
           "Groups of ranks that measure at the same time: node, rail (same number on their hosts), mod:N or div:N");
  line.add_positive("-n,--iterations", iterations_, "So many samples of each size, instead of as many as it takes");
}

void CollectiveOptions::fit(const std::function<bool(std::size_t bytes)>& fits) {
  for (std::size_t* size : {&fitting_.greatest, &fitting_.max_in_full})
    while (*size / factor() >= least() && !fits(*size)) *size /= factor();
}

std::vector<std::size_t> CollectiveOptions::sizes(results::Tier tier, const Sizes& usual) const {
  const auto greatest = tier == results::Tier::full ? usual.max_in_full : usual.greatest;
  return benchmarks::sizes(least(), greatest_.value_or(greatest), factor());
}

std::vector<std::size_t> CollectiveOptions::sizes(results::Tier tier) const { return sizes(tier, fitting_); }

results::Selected CollectiveOptions::selected(results::Tier tier) const {
  results::Selected selected{{"operation", {operation_}}};
  if (!split_.empty()) selected.emplace("hosts", std::vector<std::string>());  // groups have no facts of the whole job
  if (least_ || greatest_ || factor_)
    for (const std::size_t bytes : sizes(tier, usual_)) selected["size"].push_back(benchmarks::size_text(bytes));
  return selected;
}

benchmarks::Collective CollectiveOptions::collective() const {
  return {.operation = named(benchmarks::operations, operation_),
          .type = named(benchmarks::data_types, type_),
          .reduction = named(benchmarks::reductions, reduction_)};
}

std::vector<benchmarks::Collective> CollectiveOptions::collectives(const Placements& possible) const {
  const bool both = both_ || in_place_ == out_of_place_;
  std::vector<benchmarks::Collective> found;
  for (const bool in_place : {true, false}) {
    const bool wanted = in_place ? in_place_ : out_of_place_;
    if (in_place ? possible.in_place : possible.out_of_place) {
      if (!both && !wanted) continue;
      found.push_back(collective());
      found.back().in_place = in_place;
    } else if (wanted) {
      throw UsageError(fmt::format("--{}: {}", in_place ? "in-place" : "out-of-place", possible.reason));
    }
  }
  return found;
}

int CollectiveOptions::members(const std::vector<std::string>& hosts) const {
  if (split_.empty()) return static_cast<int>(hosts.size());
  return static_cast<int>(std::ranges::count(groups(split_, hosts), 0));
}

void CollectiveOptions::expect_moved(results::Tier tier, int ranks) const {
  const auto greatest = sizes(tier).back();
  if (benchmarks::moved_bytes(collective(), greatest, ranks) == 0)
    throw UsageError(
        fmt::format("--max-bytes: {} of type {} are nothing that {} of {} ranks could move; name a greater size",
                    benchmarks::size_text(greatest), type_, operation_, ranks));
}

}  // namespace muster::healthcheck
