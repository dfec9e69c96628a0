// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace muster::benchmarks::host {

// Threads that do the same work at the same time, again and again. One caller at a time.
class Team {
 public:
  using Work = std::function<void(std::size_t thread)>;

  // At least one thread. Throws std::system_error when the system refuses one.
  explicit Team(std::size_t threads);

  std::size_t size() const { return laps_.size(); }

  // Calls work(0) ... work(size() - 1), each on its own thread, all released by one barrier; returns the time from the
  // first start to the slowest end. Rethrows what a thread threw, once all have ended.
  std::chrono::duration<double> run(const Work& work);

 private:
  struct Lap {
    std::chrono::steady_clock::time_point start;
    std::chrono::steady_clock::time_point end;
    std::exception_ptr error;
  };

  void serve(const std::stop_token& stop, std::size_t thread);
  void do_lap(std::size_t thread);

  std::vector<Lap> laps_;
  std::barrier<> line_;
  std::mutex mutex_;
  std::condition_variable_any begun_;
  std::condition_variable_any ended_;
  std::size_t round_ = 0;  // guarded by mutex_, as the next two are
  std::size_t running_ = 0;
  const Work* work_ = nullptr;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

}  // namespace muster::benchmarks::host
