// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/pace.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "benchmarks/disk/shuffle.hpp"
#include "benchmarks/host/team.hpp"

namespace muster::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

// When which read is due; the threads share it.
class Schedule {
 public:
  Schedule(const Area& area, const Paced& paced)
      : paced_(paced),
        blocks_(area.written_bytes() / paced.block_bytes),
        count_(static_cast<std::uint64_t>(paced.per_second * std::chrono::duration<double>(paced.time).count())),
        shuffle_(blocks_, count_) {
    if (blocks_ == 0) throw Error("nothing has been written that could be read");
  }

  std::uint64_t take() { return next_.fetch_add(1, std::memory_order_relaxed); }
  // Also when a disk that is behind would need longer than there is time: what it has not begun by then it never does.
  bool is_over(std::uint64_t turn) const {
    return stop || turn >= count_ || Clock::now() > begin + paced_.time + paced_.time / 10;
  }
  Clock::time_point due(std::uint64_t turn) const {
    const std::chrono::duration<double> after(static_cast<double>(turn) / paced_.per_second);
    return begin + std::chrono::duration_cast<Clock::duration>(after);
  }
  std::uint64_t offset(std::uint64_t turn) const { return shuffle_(turn % blocks_) * paced_.block_bytes; }

  Clock::time_point begin = Clock::now();
  std::atomic<bool> stop = false;

 private:
  const Paced& paced_;
  std::uint64_t blocks_;
  std::uint64_t count_;
  Shuffle shuffle_;
  std::atomic<std::uint64_t> next_ = 0;
};

// One thread's part. A read that is due while every slot is taken waits, and its wait counts; that this thread was not
// awake at the moment does not.
class Reader {
 public:
  Reader(Area& area, Schedule& schedule, Queue& queue)
      : area_(area), schedule_(schedule), queue_(queue), offsets_(queue.depth()), begun_(queue.depth()) {
    for (std::size_t slot = 0; slot < queue.depth(); ++slot) free_.push_back(slot);
  }

  struct Share {
    results::Histogram latency;
    Clock::time_point first = Clock::time_point::max();  // completion
    Clock::time_point last = Clock::time_point::min();
  };

  Share run() {
    auto turn = schedule_.take();
    auto full_until = schedule_.begin;
    while (true) {
      const auto now = Clock::now();
      while (!schedule_.is_over(turn) && !free_.empty() && schedule_.due(turn) <= now) {
        const auto due = schedule_.due(turn);
        begin(turn, due < full_until ? due : now);
        turn = schedule_.take();
      }
      const bool is_full = free_.empty();
      const bool is_over = schedule_.is_over(turn);
      if (is_over && free_.size() == offsets_.size()) return std::move(share_);
      const auto finished = queue_.finished(is_full || is_over ? std::nullopt : std::optional(schedule_.due(turn)));
      const auto end = Clock::now();
      for (const auto slot : finished) {
        share_.first = std::min(share_.first, end);
        share_.last = end;
        share_.latency.add(end - begun_[slot]);
        area_.glance(queue_.buffer(slot), offsets_[slot]);
        free_.push_back(slot);
      }
      if (is_full) full_until = end;
    }
  }

 private:
  void begin(std::uint64_t turn, Clock::time_point from) {
    const auto slot = free_.back();
    free_.pop_back();
    offsets_[slot] = schedule_.offset(turn);
    begun_[slot] = from;
    queue_.begin({Direction::read, OwnFile::data_begin + offsets_[slot], slot});
  }

  Area& area_;
  Schedule& schedule_;
  Queue& queue_;
  std::vector<std::size_t> free_;
  std::vector<std::uint64_t> offsets_;  // by slot, as what follows
  std::vector<Clock::time_point> begun_;
  Share share_;
};

}  // namespace

Kept keep_pace(Area& area, const Engine& engine, const Paced& paced) {
  constexpr std::size_t most_threads = 64;
  const std::size_t threads = engine.ring ? 1 : std::min(most_threads, paced.depth);
  std::vector<Reader::Share> shares(threads);
  Schedule schedule(area, paced);
  Team team(threads);
  team.run([&](std::size_t thread) {
    try {
      const auto queue = make_queue(engine, area.file().number(), paced.depth, paced.block_bytes);
      shares[thread] = Reader(area, schedule, *queue).run();
    } catch (...) {
      schedule.stop = true;
      throw;
    }
  });
  Kept kept;
  Reader::Share all;
  for (const auto& share : shares) {
    kept.latency.add(share.latency);
    all.first = std::min(all.first, share.first);
    all.last = std::max(all.last, share.last);
  }
  const std::chrono::duration<double> time = all.last - all.first;
  if (kept.latency.n() > 1) kept.per_second = static_cast<double>(kept.latency.n() - 1) / time.count();
  return kept;
}

}  // namespace muster::benchmarks
