// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "healthcheck/parts/log/catalogue.hpp"
#include "healthcheck/parts/log/moment.hpp"
#include "healthcheck/parts/log/occurrences.hpp"

namespace muster::healthcheck {

// One fault of one component, from its first message of a boot to the last: messages near to each other that
// speak of the same process are one incident, and an incident may have an end.
class History {
 public:
  static constexpr double seconds_of_a_day = 86400;

  void add(const KernelFault& row, const Moment& now, std::string_view text, const std::string& process);
  // A message of what it caused.
  void add_consequence(const Moment& now) { newest_ = now; }
  // What was so far is over.
  void end(KernelFault::End how, const Moment& now);

  const std::string& meaning() const { return meaning_; }
  const std::string& last() const { return last_; }  // message, as it is
  const Moment& newest() const { return newest_; }
  // Of the first incident that is not over; of the last one where all are.
  const Moment& began() const { return began_; }
  std::size_t messages() const { return occurrences_.count(); }
  std::size_t max_per_hour() const { return occurrences_.per_hour(); }
  bool is_by_application() const { return is_by_application_; }
  bool can_point_to_device() const { return can_point_to_device_; }
  bool can_flap() const { return flaps_from_ > 0; }

  std::size_t incidents() const { return incidents_; }
  // Incidents that are not over at this moment; those that ended by themselves so often within a day that the catalogue
  // takes none for over, too.
  std::size_t open(const Moment& now) const;
  // Incidents that ended by themselves in the day before, and are none of the above.
  std::size_t recovered(const Moment& now) const;
  std::size_t ended(KernelFault::End how) const;
  // On how many days processes met it that had not before.
  std::size_t days_of_processes() const;

 private:
  static constexpr std::size_t max_recoveries = 100;
  static constexpr std::size_t max_processes = 100;  // further ones are taken for one

  struct Process {
    Moment newest;
    std::optional<long> day;  // of its first message
  };

  std::size_t recoveries_of_the_day(const Moment& now) const;

  std::string meaning_;
  std::string last_;
  Moment newest_;
  Moment began_;
  Occurrences occurrences_;
  bool is_by_application_ = false;
  bool can_point_to_device_ = false;
  std::size_t flaps_from_ = 0;
  std::size_t incidents_ = 0;
  std::size_t open_ = 0;
  std::map<KernelFault::End, std::size_t> ended_;
  std::deque<Moment> recoveries_;
  std::map<std::string, Process> processes_;  // empty: who caused it is not told
};

}  // namespace muster::healthcheck
