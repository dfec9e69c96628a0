// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/fleet/string_table.hpp"
#include "results/values/measurement.hpp"
#include "results/values/verdict.hpp"

namespace muster::healthcheck::fleet {

// A rate or a time that a node has measured. Its texts are numbers of tables.
struct Rate {
  std::uint32_t kind = 0;       // what it has in common with those that it is held against: a RateKind
  std::uint32_t component = 0;  // labels that name the GPU, NIC, drive ... of the node
  double value = 0;             // in the unit of the kind
};

struct RateTexts {
  StringTable kinds, components;
  StringTable checks;  // whose statuses are CheckStatus
};

// How a check of a node ended, the worst of its runs. Its name is a number of a table.
struct CheckStatus {
  std::uint32_t check = 0;
  results::Status status = results::Status::skip;
};

struct RateKind {
  std::string profile, machine;  // name; tier and models of CPU and GPU
  std::string check, metric;
  results::Unit unit = results::Unit::one;
  results::Labels labels;  // none of them names a component
};

// One text of several, each ended by a NUL, for which a blank stands in them: profile, machine, check, metric, symbol
// of the unit, and a name and a value for each label; of a component only these.
std::string joined(std::span<const std::string_view> parts);

// What such a text says.
RateKind kind_from(std::string_view text);
results::Labels labels_from(std::string_view text);

// The numbers that texts of some tables have in others, which get the texts that they lack. Each text is looked up
// once.
class Renumbering {
 public:
  Renumbering(const RateTexts& from, RateTexts& into);

  void apply(std::vector<Rate>& rates) const;
  void apply(std::vector<CheckStatus>& checks) const;

 private:
  std::vector<std::uint32_t> kinds_, components_, checks_;
};

// The worst of each check. There are few.
void worsen(std::vector<CheckStatus>& checks, CheckStatus by);

}  // namespace muster::healthcheck::fleet
