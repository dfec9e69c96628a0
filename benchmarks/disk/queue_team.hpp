// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "benchmarks/disk/engine.hpp"

namespace muster::benchmarks::disk {

// Threads, each with a queue of its own, that together keep so many transfers under way: one by io_uring; without it
// one for each transfer, but at most 64.
class QueueTeam {
 public:
  QueueTeam(const Engine& engine, int file, std::size_t depth, std::size_t block_bytes);

  std::size_t size() const { return size_; }

  // Calls work(thread, queue) on each, and `meanwhile` on one more. Where one throws, stopped() is true from then on;
  // rethrows once all have ended.
  void run(const std::function<void(std::size_t thread, Queue& queue)>& work,
           const std::function<void()>& meanwhile = {});

  // Asks all to end.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

 private:
  const Engine& engine_;
  int file_;
  std::size_t depth_;
  std::size_t block_bytes_;
  std::size_t size_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace muster::benchmarks::disk
