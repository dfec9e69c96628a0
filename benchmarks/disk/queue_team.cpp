// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/queue_team.hpp"

#include <algorithm>

#include "benchmarks/host/team.hpp"

namespace muster::benchmarks::disk {

QueueTeam::QueueTeam(const Engine& engine, int file, std::size_t depth, std::size_t block_bytes)
    : engine_(engine), file_(file), depth_(depth), block_bytes_(block_bytes) {
  constexpr std::size_t most = 64;
  size_ = engine.ring ? 1 : std::min(most, depth);
}

void QueueTeam::run(const std::function<void(std::size_t, Queue&)>& work, const std::function<void()>& meanwhile) {
  host::Team team(size_ + (meanwhile ? 1 : 0));
  team.run([&](std::size_t thread) {
    try {
      if (thread == size_) return meanwhile();
      const auto queue = make_queue(engine_, file_, depth_, block_bytes_);
      work(thread, *queue);
    } catch (...) {
      stop();
      throw;
    }
  });
}

}  // namespace muster::benchmarks::disk
