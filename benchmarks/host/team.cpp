// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/team.hpp"

#include <algorithm>

namespace muster::benchmarks::host {

Team::Team(std::size_t threads) : laps_(threads), line_(static_cast<std::ptrdiff_t>(threads)) {
  for (std::size_t thread = 0; thread < threads; ++thread)
    threads_.emplace_back([this, thread](const std::stop_token& stop) { serve(stop, thread); });
}

void Team::serve(const std::stop_token& stop, std::size_t thread) {
  for (std::size_t next = 1;; ++next) {
    {
      std::unique_lock lock(mutex_);
      if (!begun_.wait(lock, stop, [&] { return round_ == next; })) return;
    }
    do_lap(thread);
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) ended_.notify_one();
  }
}

void Team::do_lap(std::size_t thread) {
  Lap lap;
  line_.arrive_and_wait();
  lap.start = std::chrono::steady_clock::now();
  try {
    (*work_)(thread);
  } catch (...) {
    lap.error = std::current_exception();
  }
  lap.end = std::chrono::steady_clock::now();
  laps_[thread] = lap;
}

std::chrono::duration<double> Team::run(const Work& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  running_ = size();
  ++round_;
  begun_.notify_all();
  ended_.wait(lock, [&] { return running_ == 0; });
  for (const auto& lap : laps_)
    if (lap.error) std::rethrow_exception(lap.error);
  return std::ranges::max(laps_, {}, &Lap::end).end - std::ranges::min(laps_, {}, &Lap::start).start;
}

}  // namespace muster::benchmarks::host
