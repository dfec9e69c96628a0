// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/workload.hpp"

#include <fcntl.h>

#include <ctime>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/disk/queue_team.hpp"
#include "benchmarks/disk/shuffle.hpp"
#include "benchmarks/disk/window.hpp"
#include "benchmarks/error.hpp"

namespace muster::benchmarks::disk {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// With the same data in a buffer. Anew for each they would cost as much as all else; with the same for ever, nobody
// would see that the halves of two blocks have changed places.
constexpr std::size_t writes_of_a_fill = 8;

constexpr auto without_end = std::numeric_limits<std::uint64_t>::max();

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Of an order of its own: blocks that another workload has just touched may come from a cache below the disk.
std::uint64_t seed_of(const Workload& workload) {
  return workload.depth << 1 | (workload.direction == Direction::write ? 1 : 0);
}

// Which block comes next; the threads of a workload share it.
class Turns {
 public:
  // Of so many bytes; `count` blocks in all, or without an end.
  Turns(std::uint64_t bytes, const Workload& workload, std::uint64_t count)
      : workload_(workload),
        blocks_(workload.parts.empty() ? bytes / workload.block_bytes
                                       : workload.parts.size() * blocks_of_part(workload)),
        count_(count),
        shuffle_(blocks_, seed_of(workload)),
        busy_(workload.direction == Direction::write ? blocks_ : 0) {
    const bool writes = workload.direction == Direction::write;  // no block twice at once
    if (blocks_ <= (writes ? workload.depth : 0)) throw Error("too little has been written for so many blocks at once");
  }

  // Its offset; nothing after the last. A block that is being written is passed over: nobody could tell what it holds.
  std::optional<std::uint64_t> take() {
    while (true) {
      const auto turn = next_.fetch_add(1, std::memory_order_relaxed);
      if (turn >= count_) return std::nullopt;
      const auto block = workload_.pattern == Access::random ? shuffle_(turn % blocks_) : turn % blocks_;
      if (busy_.empty() || !busy_[block].test_and_set()) return offset(block);
    }
  }

  void give_back(std::uint64_t offset) {
    if (!busy_.empty()) busy_[offset / workload_.block_bytes].clear();
  }

  // Whether this workload has nothing left to write for the first time.
  bool all_written() const { return !extends(workload_) || next_ >= blocks_; }

  // How far it has come in that, once all that was taken has been written.
  std::uint64_t written_bytes() const { return std::min(next_.load(), blocks_) * workload_.block_bytes; }

  static bool extends(const Workload& workload) {
    return workload.direction == Direction::write && workload.pattern == Access::sequential;
  }

 private:
  static std::uint64_t blocks_of_part(const Workload& workload) { return workload.part_bytes / workload.block_bytes; }
  std::uint64_t offset(std::uint64_t block) const {
    if (workload_.parts.empty()) return block * workload_.block_bytes;
    const auto each = blocks_of_part(workload_);
    return workload_.parts[block / each] + block % each * workload_.block_bytes;
  }

  const Workload& workload_;
  std::uint64_t blocks_;
  std::uint64_t count_;
  Shuffle shuffle_;
  std::vector<std::atomic_flag> busy_;
  std::atomic<std::uint64_t> next_ = 0;
};

// What the threads of a workload have in common.
struct Common {
  Area* area;                    // none: nobody knows what is there, and it is only read
  std::uint64_t data_begin = 0;  // in the file
  const Workload& workload;
  Turns turns;
  QueueTeam team;
  bool verifies = false;                // every byte
  std::atomic<std::size_t> pieces = 0;  // of the area's pattern, that buffers were filled with
  std::atomic<std::uint64_t> done = 0;
};

struct Share {
  results::Histogram latency;
  std::uint64_t wrong = 0;
  std::uint64_t blank = 0;
  double cpu_seconds = 0;
  Clock::time_point begin = Clock::time_point::max();
  Clock::time_point end = Clock::time_point::min();
};

// By the beginning of each sector.
bool is_blank(std::span<const std::byte> buffer) {
  constexpr std::size_t sector_bytes = 512;
  for (std::size_t at = 0; at < buffer.size(); at += sector_bytes) {
    std::uint64_t beginning = 0;
    std::memcpy(&beginning, buffer.data() + at, sizeof beginning);
    if (beginning != 0) return false;
  }
  return true;
}

// One thread's part.
class Worker {
 public:
  Worker(Common& common, Queue& queue)
      : common_(common), queue_(queue), offsets_(queue.depth()), begun_(queue.depth()), pieces_(queue.depth()) {}

  Share run() {
    const auto cpu_before = cpu_seconds();
    const bool writes = common_.workload.direction == Direction::write;
    for (std::size_t slot = 0; slot < queue_.depth(); ++slot) {
      if (writes) fill(slot);
      begin(slot);
    }
    while (count_ > 0) {
      const auto finished = queue_.finished();
      count_ -= finished.size();
      for (const auto slot : finished) {
        // Each for itself, and its place is taken at once: the mean latency is depth by rate, as in fio.
        share_.end = Clock::now();
        share_.latency.add(share_.end - begun_[slot]);
        end(slot);
        begin(slot);
      }
      common_.done.fetch_add(finished.size(), std::memory_order_relaxed);
    }
    share_.cpu_seconds = cpu_seconds() - cpu_before;
    return std::move(share_);
  }

 private:
  void begin(std::size_t slot) {
    if (common_.team.stopped()) return;
    const auto offset = common_.turns.take();
    if (!offset) return;
    if (common_.workload.direction == Direction::write) prepare(slot, *offset);
    offsets_[slot] = *offset;
    begun_[slot] = Clock::now();
    share_.begin = std::min(share_.begin, begun_[slot]);
    ++count_;
    queue_.begin({common_.workload.direction, common_.data_begin + *offset, slot});
  }

  void fill(std::size_t slot) {
    const auto buffer = queue_.buffer(slot);
    pieces_[slot] = common_.pieces.fetch_add(buffer.size() / Area::block_bytes, std::memory_order_relaxed);
    common_.area->fill(buffer, pieces_[slot]);
  }

  void prepare(std::size_t slot, std::uint64_t offset) {
    const auto buffer = queue_.buffer(slot);
    if (++writes_ % writes_of_a_fill == 0 && buffer.size() < Area::pattern_bytes) fill(slot);
    common_.area->prepare(buffer, offset);
  }

  void end(std::size_t slot) {
    const auto offset = offsets_[slot];
    const auto buffer = queue_.buffer(slot);
    if (common_.area == nullptr)
      share_.blank += is_blank(buffer) ? 1 : 0;
    else if (common_.workload.direction == Direction::write)
      common_.area->wrote(buffer.size(), offset, pieces_[slot]);
    else
      share_.wrong += common_.verifies ? common_.area->verify(buffer, offset) : common_.area->glance(buffer, offset);
    common_.turns.give_back(offset);
  }

  Common& common_;
  Queue& queue_;
  std::vector<std::uint64_t> offsets_;  // in the data, by slot, as what follows
  std::vector<Clock::time_point> begun_;
  std::vector<std::size_t> pieces_;  // of the pattern, that a buffer begins with
  std::size_t writes_ = 0;
  std::size_t count_ = 0;
  Share share_;
};

// Of all threads.
std::vector<Share> run_workers(Common& common, const std::function<void()>& meanwhile = {}) {
  std::vector<Share> shares(common.team.size());
  common.team.run([&](std::size_t thread, Queue& queue) { shares[thread] = Worker(common, queue).run(); }, meanwhile);
  return shares;
}

QueueTeam team_for(int file, const Engine& engine, const Workload& workload) {
  return {engine, file, workload.depth, workload.block_bytes};
}

// The rates of what the others do, until there are enough; then they stop.
Sampled sample(Common& common, const SamplingGoal& goal, const Budget& budget) {
  const bool in_bytes = common.workload.pattern == Access::sequential;
  const double each = in_bytes ? static_cast<double>(common.workload.block_bytes) : 1;
  Sampling sampling(goal);
  std::uint64_t before = 0;
  auto from = Clock::now();
  while (!common.team.stopped() && !(sampling.reached() && common.turns.all_written()) && !budget.spent(sampling.n())) {
    std::this_thread::sleep_for(min_window);
    const auto done = common.done.load(std::memory_order_relaxed);
    const auto now = Clock::now();
    if (done == before || now - from < window_of(done - before)) continue;
    sampling.add(each * static_cast<double>(done - before) / Seconds(now - from).count(), now);
    before = done;
    from = now;
  }
  common.team.stop();
  if (sampling.n() == 0) return {};
  return std::move(sampling).result(in_bytes ? results::Unit::byte_per_second : results::Unit::hertz);
}

Worked work(Common& common, const SamplingGoal& goal, const Budget& budget) {
  Worked worked;
  Share all;
  for (const auto& share : run_workers(common, [&] { worked.rates = sample(common, goal, budget); })) {
    worked.latency.add(share.latency);
    worked.cpu_seconds += share.cpu_seconds;
    worked.wrong += share.wrong;
    worked.blank += share.blank;
    all.begin = std::min(all.begin, share.begin);
    all.end = std::max(all.end, share.end);
  }
  worked.operations = common.done;
  if (worked.operations > 0) worked.seconds = Seconds(all.end - all.begin).count();
  worked.bytes = static_cast<double>(common.done * common.workload.block_bytes);
  return worked;
}

}  // namespace

std::string_view to_text(Access pattern) { return pattern == Access::sequential ? "sequential" : "random"; }

Worked work(Area& area, const Engine& engine, const Workload& workload, const SamplingGoal& goal,
            const Budget& budget) {
  const bool extends = Turns::extends(workload);
  Common common{.area = &area,
                .data_begin = OwnFile::data_begin,
                .workload = workload,
                .turns = {extends ? area.file().data_bytes() : area.written_bytes(), workload, without_end},
                .team = team_for(area.file().number(), engine, workload)};
  auto worked = work(common, goal, budget);
  if (extends) area.extend_written(common.turns.written_bytes());
  return worked;
}

Worked read(const RawDrive& drive, const Engine& engine, const Workload& workload, const SamplingGoal& goal,
            const Budget& budget) {
  if (workload.direction != Direction::read) throw std::logic_error("a drive with other people's data is only read");
  Common common{.area = nullptr,
                .workload = workload,
                .turns = {drive.bytes(), workload, without_end},
                .team = team_for(drive.number(), engine, workload)};
  return work(common, goal, budget);
}

void verify(Area& area, const Engine& engine) {
  posix_fadvise(area.file().number(), 0, 0, POSIX_FADV_DONTNEED);  // what others may have brought into the page cache
  const Workload workload{.direction = Direction::read, .pattern = Access::sequential, .depth = 8};
  Common common{.area = &area,
                .data_begin = OwnFile::data_begin,
                .workload = workload,
                .turns = {area.written_bytes(), workload, area.written_bytes() / workload.block_bytes},
                .team = team_for(area.file().number(), engine, workload),
                .verifies = true};
  run_workers(common);
}

}  // namespace muster::benchmarks::disk
