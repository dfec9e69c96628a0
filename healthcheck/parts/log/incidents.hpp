// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "healthcheck/parts/log/catalogue.hpp"
#include "healthcheck/parts/log/history.hpp"
#include "healthcheck/parts/log/moment.hpp"
#include "results/values/measurement.hpp"

namespace muster::healthcheck {

// What a log tells of faults, by fault and component, in memory that does not grow beyond a bound. Messages come in the
// order of the log.
class Incidents {
 public:
  using Labels = results::Labels;
  using Key = std::pair<std::string, Labels>;  // the fault's code and the component

  // Of more components, or of more wordings, the rest is told together.
  static constexpr std::size_t max_components = 1000;
  static constexpr std::size_t max_wordings = 20;
  // A consequence follows its cause within so much.
  static constexpr double seconds_to_consequence = 60;

  struct Wording {
    std::size_t messages = 0;
    std::string last;
  };

  // What comes is of another boot.
  void begin_boot(bool is_told_from_its_start);
  void add(const Catalogue::Hit& hit, const Moment& now, std::string_view text);

  // Of the last boot.
  const std::map<Key, History>& histories() const { return histories_; }
  // Of the boots before it: messages.
  const std::map<Key, std::size_t>& of_earlier_boots() const { return earlier_; }
  // Messages of the last boot that are like a fault and that the catalogue does not know, by their words without
  // numbers.
  const std::map<std::string, Wording>& unknown() const { return unknown_; }
  // GPUs on which an application's fault came on three days to as many processes, and on no other GPU: what is at fault
  // may be the GPU.
  std::set<Key> suspects() const;

 private:
  void add_unknown(std::string_view text);
  void end(const KernelFault& row, const Labels& component, const Moment& now);
  History* cause(const KernelFault& row, const Labels& component, const Moment& now);

  std::map<Key, History> histories_;
  std::map<Key, std::size_t> earlier_;
  std::map<std::string, Wording> unknown_;
  std::set<Labels> at_work_;
  bool is_told_from_its_start_ = false;
};

// The words of a message, each number in it as '#'.
std::string wording(std::string_view text);

}  // namespace muster::healthcheck
