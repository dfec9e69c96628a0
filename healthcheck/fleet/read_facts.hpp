// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "healthcheck/fleet/read_fields.hpp"
#include "healthcheck/fleet/read_rates.hpp"

namespace muster::healthcheck::fleet {

// What a fact is of, or a verdict is about: a number with its unit, or a text.
struct Said {
  bool is_text = false;
  std::string_view word;  // the text or the unit
  double number = 0;

  bool operator==(const Said&) const = default;
};

// The facts of one run of a check, held against the verdicts about them. All that they have is the document's.
class Facts {
 public:
  // Of another run, which has no facts yet.
  void begin(std::string_view host, const element& component);

  // They throw Unusual where a field is not as it is written, or a value not the median of its samples.
  void add_measurement(const element& from, RateReader& rates);
  void add_evidence(const element& from);

  // A verdict whose labels are in the order of their names.
  void add_verdict(std::string_view metric, const element& labels, const element& value);

  // Throws Unusual unless each verdict is about a fact.
  void expect_all_are_facts();

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct Fact {
    element labels;
    Said value;
    std::size_t next = none;  // of the same metric
  };

  struct Verdict {
    element labels;
    Said value;
    std::size_t kind = none;
  };

  // Facts of one metric that a verdict is about.
  struct Kind {
    std::string_view metric;
    std::size_t first = none, last = none;
    std::size_t likely = none;  // the fact after that of the last verdict: verdicts come in the order of their facts
  };

  void add(std::string_view metric, const element& labels, const Said& value);
  Kind* kind_of(std::string_view metric);
  bool is_fact(const Verdict& verdict);
  bool tells(const Fact& fact, const Verdict& verdict) const;
  bool is_of_run(std::string_view label, std::string_view value) const;

  std::string_view host_;
  element component_;
  std::vector<Fact> facts_;
  std::vector<Verdict> verdicts_;
  std::vector<Kind> kinds_;
  std::size_t last_kind_ = 0;
  std::optional<std::string_view> unjudged_;  // the last metric that no verdict is about
  std::size_t steps_ = 0;                     // of all searches
};

}  // namespace muster::healthcheck::fleet
