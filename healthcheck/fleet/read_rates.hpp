// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "healthcheck/fleet/rates.hpp"

namespace muster::healthcheck::fleet {

using simdjson::dom::element;
using simdjson::dom::object;

// What the report of a node has that can be held against other nodes: rates and times that were sampled, by first looks
// of checks that finished. Throws simdjson_error where a field that it must have is missing.
class RateReader {
 public:
  // Of the whole report.
  void read(const object& report);

  // The same by those who read it anyway. The report must live as long as it is read.
  void begin_report(const object& report);
  void begin_run(const object& run);
  // Both of what was sampled. The first adds it where its texts are those of the rate in its place in a report before,
  // and says whether they are: such labels have been looked at.
  bool add_again(std::string_view metric, const element& labels, std::string_view unit, double value);
  void add_new(std::string_view metric, const element& labels, std::string_view unit, double value);

  std::uint32_t number_of_check(const std::string& name) { return texts_.checks.number(name); }

  const std::vector<Rate>& rates() const { return rates_; }
  const RateTexts& texts() const { return texts_; }

 private:
  using Pair = std::pair<std::string_view, std::string_view>;

  // Of what a rate is, letter for letter, and the numbers that this has. Rates of one place in the reports of a fleet
  // are mostly of the same, which is quicker to see than to number it again.
  struct Known {
    std::uint32_t run = 0;
    std::string of;
    std::uint32_t kind = 0, component = 0;
  };

  bool is_of(const Known& known, std::string_view metric, const element& labels, std::string_view unit) const;
  Known numbered(std::string_view metric, const element& labels, std::string_view unit);
  void read_labels(const element& measured);

  RateTexts texts_;
  std::vector<Rate> rates_;
  std::vector<Known> known_;  // by the place of a rate in its report
  StringTable runs_;          // profile, machine, check and component
  std::uint32_t run_ = 0;
  std::string_view profile_, check_;
  std::string machine_;
  element component_;
  bool is_compared_ = false;
  // Of the rate that is read.
  std::vector<Pair> labels_;
  std::vector<std::string_view> kind_, of_;
};

}  // namespace muster::healthcheck::fleet
