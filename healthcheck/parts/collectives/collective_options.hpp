// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/collectives/collective.hpp"
#include "healthcheck/program/command_line.hpp"

namespace muster::healthcheck {

// What every check of collectives is asked, with nccl-tests' habits.
class CollectiveOptions {
 public:
  // What is measured where nobody says.
  struct Sizes {
    std::size_t least = 0;
    std::size_t greatest = 0;
    std::size_t max_in_full = 0;  // in the full tier
    std::size_t factor = 0;
  };
  explicit CollectiveOptions(const Sizes& usual) : usual_(usual) {}

  // With the types and reductions that can be had.
  void add_to(CommandLine& line, std::span<const benchmarks::DataType> types,
              std::span<const benchmarks::Reduction> reductions);

  // Where the results of an operation can go.
  struct Placements {
    bool in_place = true;
    bool out_of_place = true;
    std::string reason = {};  // of what is not possible
  };

  // What is measured, but for where the results go.
  benchmarks::Collective collective() const;
  // One for each placement. Throws UsageError where one was wanted that is not possible.
  std::vector<benchmarks::Collective> collectives(const Placements& possible) const;
  // The greatest size that somebody asked for.
  std::optional<std::size_t> greatest() const { return greatest_; }
  // Where nobody asked, lowers it by the same steps until it fits, but not below the smallest size.
  void fit(const std::function<bool(std::size_t bytes)>& fits);
  // Throws benchmarks::Error when there is none.
  std::vector<std::size_t> sizes(results::Tier tier) const;
  // How the ranks are split into groups that measure at the same time (healthcheck/parts/collectives/groups.hpp); empty
  // where they are not.
  const std::string& split() const { return split_; }
  // What expectations may still be of (results::Selected), where somebody asked for something.
  results::Selected selected(results::Tier tier) const;
  // How many ranks move data among themselves. Throws UsageError where they cannot be split so.
  int members(const std::vector<std::string>& hosts) const;
  // Throws UsageError where even the greatest size has no element for each of so many ranks.
  void expect_moved(results::Tier tier, int ranks) const;
  // Samples of each size; where nobody says, as many as it takes.
  std::optional<std::size_t> iterations() const { return iterations_; }

 private:
  std::size_t least() const { return least_.value_or(usual_.least); }
  std::size_t factor() const { return factor_.value_or(usual_.factor); }
  // Up to what was asked for, else to what is usual in this tier.
  std::vector<std::size_t> sizes(results::Tier tier, const Sizes& usual) const;

  Sizes usual_;
  Sizes fitting_ = usual_;
  std::optional<std::size_t> least_;
  std::optional<std::size_t> greatest_;
  std::optional<std::size_t> factor_;
  std::string operation_ = "allreduce";
  std::string type_ = "float";
  std::string reduction_ = "sum";
  bool in_place_ = false;
  bool out_of_place_ = false;
  bool both_ = false;
  std::optional<std::size_t> iterations_;
  std::string split_;
};

}  // namespace muster::healthcheck
