// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/log/reading.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace muster::healthcheck {
namespace {

constexpr std::size_t bytes_of_a_batch = 1 << 20;
constexpr std::size_t messages_of_a_batch = 16'384;

// Whether a boot is told from its first messages on.
bool is_start_of_boot(const topology::KernelMessage& message) {
  constexpr double first_seconds = 1;
  return message.seconds ? *message.seconds < first_seconds
                         : message.text.starts_with("Linux version ") || message.text.starts_with("Booting Linux");
}

}  // namespace

Moment moment(const topology::KernelMessage& message) { return {.seconds = message.seconds, .date = message.date}; }

void LogReading::read(topology::KernelLog& log) {
  while (const auto message = log.next()) {
    add(*message);
    if (read_.texts.size() >= bytes_of_a_batch || read_.items.size() >= messages_of_a_batch) hand_over();
  }
  hand_over();
  await();
}

void LogReading::add(const topology::KernelMessage& message) {
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
  read_.items.push_back(item);
}

void LogReading::hand_over() {
  await();
  std::swap(read_, looked_up_);
  read_.texts.clear();
  read_.items.clear();
  next_ = 0;
  lookup_ = std::async(std::launch::async, [this] { return look_up(); });
}

// What two threads do until the batch is done.
std::vector<LogReading::Found> LogReading::look_up() {
  constexpr std::size_t some = 128;
  const auto& items = looked_up_.items;
  std::vector<Found> found;
  for (std::size_t begin = next_.fetch_add(some); begin < items.size(); begin = next_.fetch_add(some))
    for (std::size_t i = begin; i < std::min(begin + some, items.size()); ++i)
      if (auto hit = catalogue_.find(looked_up_.text(items[i])); hit && !hit->row->is_harmless())
        found.push_back({.item = i, .hit = *std::move(hit)});
  return found;
}

// Takes what was found to the incidents, in the order of the log.
void LogReading::await() {
  if (!lookup_.valid()) return;
  auto found = look_up();
  std::ranges::move(lookup_.get(), std::back_inserter(found));
  std::ranges::sort(found, {}, &Found::item);
  auto next = found.begin();
  for (std::size_t i = 0; i < looked_up_.items.size(); ++i) {
    const Item& item = looked_up_.items[i];
    if (item.begins_boot) incidents_.begin_boot(*item.begins_boot);
    if (next == found.end() || next->item != i) continue;
    incidents_.add(next->hit, item.now, looked_up_.text(item));
    ++next;
  }
}

}  // namespace muster::healthcheck
