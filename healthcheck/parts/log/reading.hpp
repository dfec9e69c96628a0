// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/parts/log/catalogue.hpp"
#include "healthcheck/parts/log/incidents.hpp"
#include "healthcheck/parts/log/moment.hpp"
#include "topology/log/kernel_log.hpp"

namespace muster::healthcheck {

// The moment of a message.
Moment moment(const topology::KernelMessage& message);

// What a log says of faults since a moment. Messages are looked up in the catalogue on a second thread, while the next
// are read; memory does not grow with the log.
class LogReading {
 public:
  LogReading(const Catalogue& catalogue, std::optional<Moment> since) : catalogue_(catalogue), since_(since) {}

  // Throws topology::Error.
  void read(topology::KernelLog& log);

  // Whether the log goes back to that moment, although the ring had lost what was before its first message.
  bool is_covered() const { return since_ && first_ && since_->since(*first_).value_or(0) > 0; }
  // Of the last message that has one.
  const Moment& end() const { return end_; }
  std::size_t boots() const { return boots_; }
  const Incidents& incidents() const { return incidents_; }

 private:
  // A message whose text is in the batch; `begins_boot`: whether that boot is told from its start.
  struct Item {
    Moment now;
    std::size_t begin = 0;
    std::size_t size = 0;
    std::optional<bool> begins_boot{};
  };
  struct Batch {
    std::string texts;
    std::vector<Item> items;

    std::string_view text(const Item& item) const { return std::string_view(texts).substr(item.begin, item.size); }
  };

  struct Found {
    std::size_t item = 0;  // of the batch
    Catalogue::Hit hit;
  };

  void add(const topology::KernelMessage& message);
  void hand_over();
  void await();
  std::vector<Found> look_up();

  const Catalogue& catalogue_;
  std::optional<Moment> since_;
  std::optional<Moment> first_;
  Moment end_;
  std::size_t boot_ = 0;
  std::size_t boots_ = 0;
  Batch read_;
  Batch looked_up_;
  std::atomic<std::size_t> next_ = 0;  // item to be looked up
  std::future<std::vector<Found>> lookup_;
  Incidents incidents_;
};

}  // namespace muster::healthcheck
