// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/checkpoint.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <vector>

#include "benchmarks/disk/disk_error.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/host/team.hpp"

namespace muster::benchmarks::disk {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds window_of_writing{50};  // of writing, in a sample

// One rank: its part of the data, and how far it has come in it. For one thread.
class Writer {
 public:
  Writer(Area& area, const Engine& engine, std::size_t block_bytes, std::uint64_t begin, std::uint64_t bytes)
      : area_(area),
        queue_(make_queue(engine, area.file().number(), 1, block_bytes)),
        block_bytes_(block_bytes),
        begin_(begin),
        bytes_(bytes) {
    area_.fill(queue_->buffer(0), 0);
  }

  // At least one block. Returns how many bytes.
  std::size_t write_until(Clock::time_point end) {
    std::size_t written = 0;
    do {
      const auto offset = begin_ + at_;
      area_.prepare(queue_->buffer(0), offset);
      queue_->begin({Direction::write, OwnFile::data_begin + offset, 0});
      queue_->finished();
      area_.wrote(block_bytes_, offset, 0);
      at_ = (at_ + block_bytes_) % bytes_;
      written += block_bytes_;
    } while (Clock::now() < end);
    if (fdatasync(area_.file().number()) != 0) throw_transfer_error(errno, "fdatasync failed");
    return written;
  }

 private:
  Area& area_;
  std::unique_ptr<Queue> queue_;
  std::size_t block_bytes_;
  std::uint64_t begin_;
  std::uint64_t bytes_;
  std::uint64_t at_ = 0;
};

}  // namespace

Saved save(Area& area, const Engine& engine, const Checkpoint& checkpoint, const SamplingGoal& goal,
           const Budget& budget) {
  if (area.written_bytes() == 0) throw Error("nothing has been written that a checkpoint could replace");
  Saved saved;
  saved.block_bytes = std::min<std::size_t>(checkpoint.block_bytes, area.written_bytes());
  const auto blocks = area.written_bytes() / saved.block_bytes;
  saved.writers = std::min<std::size_t>(checkpoint.writers, blocks);
  const auto part = blocks / saved.writers * saved.block_bytes;
  Engine engine_of_large_blocks = engine;  // which gain nothing by it, and are more than may be locked
  engine_of_large_blocks.registered_buffers = false;
  std::vector<std::unique_ptr<Writer>> writers(saved.writers);
  std::vector<std::size_t> written(saved.writers);
  host::Team team(saved.writers);
  team.run([&](std::size_t rank) {
    writers[rank] = std::make_unique<Writer>(area, engine_of_large_blocks, saved.block_bytes, rank * part, part);
  });
  Sampling sampling(goal);
  while (!sampling.reached() && !budget.spent(sampling.n())) {
    const auto end = Clock::now() + window_of_writing;
    const auto time = team.run([&](std::size_t rank) { written[rank] = writers[rank]->write_until(end); });
    double bytes = 0;
    for (const auto of_rank : written) bytes += static_cast<double>(of_rank);
    saved.bytes += bytes;
    sampling.add(bytes / time.count(), Clock::now());
  }
  saved.rates = std::move(sampling).result(results::Unit::byte_per_second);
  return saved;
}

}  // namespace muster::benchmarks::disk
