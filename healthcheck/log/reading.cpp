// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/log/reading.hpp"

#include <string_view>
#include <utility>

namespace muster::healthcheck {
namespace {

constexpr std::size_t messages_of_a_batch = 4096;

// Whether a boot is told from its first messages on.
bool is_start_of_boot(const topology::KernelMessage& message) {
  constexpr double first_seconds = 1;
  return message.seconds ? *message.seconds < first_seconds
                         : message.text.starts_with("Linux version ") || message.text.starts_with("Booting Linux");
}

}  // namespace

Moment moment(const topology::KernelMessage& message) { return {.seconds = message.seconds, .date = message.date}; }

void Reading::read(topology::KernelLog& log) {
  while (const auto message = log.next()) {
    add(*message);
    if (read_.items.size() == messages_of_a_batch) hand_over();
  }
  hand_over();
  await();
}

void Reading::add(const topology::KernelMessage& message) {
  const Moment now = moment(message);
  if (now.seconds || now.date) end_ = now;
  if (!first_) first_ = now;
  Item item{.now = now, .begin = read_.texts.size()};
  if (boots_ == 0 || message.boot != boot_) {
    item.begins_boot = is_start_of_boot(message);
    boot_ = message.boot;
    ++boots_;
  }
  const bool is_too_old = since_ && since_->since(now).value_or(0) > 0;
  if (is_too_old && !item.begins_boot) return;
  if (!is_too_old) {
    item.size = message.text.size();
    read_.texts += message.text;
  }
  read_.items.push_back(std::move(item));
}

void Reading::hand_over() {
  await();
  std::swap(read_, looked_up_);
  read_.texts.clear();
  read_.items.clear();
  lookup_ = std::async(std::launch::async, [&] {
    for (auto& item : looked_up_.items)
      item.hit = catalogue_.find(std::string_view(looked_up_.texts).substr(item.begin, item.size));
  });
}

// Takes what was found to the incidents, in the order of the log.
void Reading::await() {
  if (!lookup_.valid()) return;
  lookup_.get();
  for (const auto& item : looked_up_.items) {
    if (item.begins_boot) incidents_.begin_boot(*item.begins_boot);
    if (item.hit) incidents_.add(*item.hit, item.now, std::string_view(looked_up_.texts).substr(item.begin, item.size));
  }
}

}  // namespace muster::healthcheck
