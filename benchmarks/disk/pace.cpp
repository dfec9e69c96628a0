// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/pace.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "benchmarks/disk/queue_team.hpp"
#include "benchmarks/disk/shuffle.hpp"
#include "benchmarks/error.hpp"

namespace muster::benchmarks::disk {
namespace {

using Clock = std::chrono::steady_clock;

// When which read is due; the threads share it.
class Schedule {
 public:
  Schedule(const Area& area, const Paced& paced)
      : paced_(paced),
        blocks_(area.written_bytes() / paced.block_bytes),
        count_(count_of(paced)),
        shuffle_(blocks_, count_) {
    if (blocks_ == 0) throw Error("nothing has been written that could be read");
  }

  std::uint64_t take() { return next_.fetch_add(1, std::memory_order_relaxed); }
  // Called by each thread that can read: the time of all runs from the first on.
  void begin() {
    std::call_once(once_, [&] { begin_ = Clock::now(); });
  }
  // Also when a disk that is behind would need longer than there is time: but for the first read, what it has not begun
  // by then it never does.
  bool is_over(std::uint64_t turn) const {
    return turn >= count_ || (turn > 0 && Clock::now() > begin_ + paced_.time + paced_.time / 10);
  }
  Clock::time_point due(std::uint64_t turn) const {
    const std::chrono::duration<double> after(static_cast<double>(turn) / paced_.per_second);
    return begin_ + std::chrono::duration_cast<Clock::duration>(after);
  }
  std::uint64_t offset(std::uint64_t turn) const { return shuffle_(turn % blocks_) * paced_.block_bytes; }

 private:
  static std::uint64_t count_of(const Paced& paced) {
    const double all = paced.per_second * std::chrono::duration<double>(paced.time).count();
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(all));
  }

  std::once_flag once_;
  Clock::time_point begin_;
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
  Reader(Area& area, Schedule& schedule, const QueueTeam& team, Queue& queue)
      : area_(area), schedule_(schedule), team_(team), queue_(queue), offsets_(queue.depth()), begun_(queue.depth()) {
    for (std::size_t slot = 0; slot < queue.depth(); ++slot) free_.push_back(slot);
  }

  struct Share {
    results::Histogram latency;
    Clock::time_point first = Clock::time_point::max();  // completion
    Clock::time_point last = Clock::time_point::min();
  };

  Share run() {
    auto turn = schedule_.take();
    Clock::time_point full_until;
    while (true) {
      const auto now = Clock::now();
      while (!is_over(turn) && !free_.empty() && schedule_.due(turn) <= now) {
        const auto due = schedule_.due(turn);
        begin(turn, due < full_until ? due : Clock::now());
        turn = schedule_.take();
      }
      const bool is_full = free_.empty();
      const bool is_last = is_over(turn);
      if (is_last && free_.size() == offsets_.size()) return std::move(share_);
      const auto finished = queue_.finished(is_full || is_last ? std::nullopt : std::optional(schedule_.due(turn)));
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
  bool is_over(std::uint64_t turn) const { return team_.stopped() || schedule_.is_over(turn); }

  void begin(std::uint64_t turn, Clock::time_point from) {
    const auto slot = free_.back();
    free_.pop_back();
    offsets_[slot] = schedule_.offset(turn);
    begun_[slot] = from;
    queue_.begin({Direction::read, OwnFile::data_begin + offsets_[slot], slot});
  }

  Area& area_;
  Schedule& schedule_;
  const QueueTeam& team_;
  Queue& queue_;
  std::vector<std::size_t> free_;
  std::vector<std::uint64_t> offsets_;  // by slot, as what follows
  std::vector<Clock::time_point> begun_;
  Share share_;
};

}  // namespace

Kept keep_pace(Area& area, const Engine& engine, const Paced& paced) {
  Schedule schedule(area, paced);
  QueueTeam team(engine, area.file().number(), paced.depth, paced.block_bytes);
  std::vector<Reader::Share> shares(team.size());
  team.run([&](std::size_t thread, Queue& queue) {
    schedule.begin();
    shares[thread] = Reader(area, schedule, team, queue).run();
  });
  Kept kept;
  Reader::Share all;
  for (const auto& share : shares) {
    kept.latency.add(share.latency);
    all.first = std::min(all.first, share.first);
    all.last = std::max(all.last, share.last);
  }
  if (kept.latency.n() < 2) return kept;
  const auto more = kept.latency.n() - 1;
  // Where the first was late, those behind it came faster than they were asked for.
  const std::chrono::duration<double> time = std::max(all.last - all.first, schedule.due(more) - schedule.due(0));
  kept.per_second = static_cast<double>(more) / time.count();
  return kept;
}

}  // namespace muster::benchmarks::disk
