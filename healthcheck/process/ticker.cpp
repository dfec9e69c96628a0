// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/ticker.hpp"

#include <fmt/format.h>

#include <utility>

#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::chrono::milliseconds between_ticks{200};

}  // namespace

Ticker::Ticker(bool quiet, std::string name, double typical_seconds)
    : progress_(quiet),
      name_(std::move(name)),
      usual_(typical_seconds > 0 ? fmt::format(", usually {:.2g} s", typical_seconds) : "") {
  if (progress_.live()) thread_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

void Ticker::say(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
}

void Ticker::tick(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto spent = seconds(std::chrono::steady_clock::now() - start_);
    progress_.status(fmt::format("{} {:.1f} s{}{}{}", name_, spent, usual_, what_.empty() ? "" : " | ", what_));
    wake_.wait_for(lock, stop, between_ticks, [] { return false; });
  }
}

}  // namespace muster::healthcheck
