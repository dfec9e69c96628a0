// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/workload.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/disk/checkpoint.hpp"
#include "benchmarks/disk/disk_error.hpp"
#include "benchmarks/disk/pace.hpp"
#include "benchmarks/error.hpp"
#include "tests/support/disk.hpp"

namespace muster::benchmarks::disk {

void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.words; }

namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

using tests::mebibyte;
constexpr Workload writing{.direction = Direction::write, .depth = 4};
constexpr Workload reading{.direction = Direction::read, .depth = 4};
constexpr Workload random_writing{
    .direction = Direction::write, .pattern = Access::random, .block_bytes = 4096, .depth = 8};
constexpr Workload random_reading{
    .direction = Direction::read, .pattern = Access::random, .block_bytes = 4096, .depth = 8};

// With io_uring, without registered buffers, and without io_uring.
class WorkloadBy : public testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    if (const auto why = folder_.why_no_disk(); !why.empty()) GTEST_SKIP() << why;
    if (GetParam().ring && !usable_engine(mebibyte).ring) GTEST_SKIP() << usable_engine(mebibyte).words;
    file_.emplace(folder_.path(), 16 * mebibyte);
    area_.emplace(*file_);
  }

  Worked run(const Workload& workload) {
    return work(*area_, GetParam(), workload, {}, {.end = std::chrono::steady_clock::now() + milliseconds(100)});
  }
  Area& area() { return *area_; }

  void write_first_mebibyte() {
    const auto queue = make_queue(GetParam(), file_->number(), 1, mebibyte);
    area_->fill(queue->buffer(0), 0);
    area_->prepare(queue->buffer(0), 0);
    queue->begin({Direction::write, OwnFile::data_begin, 0});
    ASSERT_EQ(queue->finished().size(), 1);
    area_->wrote(mebibyte, 0, 0);
    area_->extend_written(mebibyte);
  }

  // By another way into the file, as a disk that fails would.
  void change(off_t offset, std::size_t bytes, const std::function<void(std::vector<char>&)>& how) {
    const auto path = "/proc/self/fd/" + std::to_string(file_->number());
    const int other = open(path.c_str(), O_RDWR | O_CLOEXEC);
    std::vector<char> data(bytes);
    ASSERT_EQ(pread(other, data.data(), bytes, offset), static_cast<ssize_t>(bytes));
    how(data);
    ASSERT_EQ(pwrite(other, data.data(), bytes, offset), static_cast<ssize_t>(bytes));
    ASSERT_EQ(fsync(other), 0);
    close(other);
  }

 private:
  tests::DiskFolder folder_;
  std::optional<OwnFile> file_;
  std::optional<Area> area_;
};

TEST_P(WorkloadBy, ReadsWhatItWrote) {
  const auto wrote = run(writing);
  EXPECT_GT(wrote.operations, 0);
  EXPECT_EQ(wrote.bytes, static_cast<double>(wrote.operations * mebibyte));
  EXPECT_EQ(wrote.latency.n(), wrote.operations);
  EXPECT_GE(wrote.rates.samples.values.size(), 6);
  EXPECT_EQ(wrote.rates.samples.unit, results::Unit::byte_per_second);
  ASSERT_EQ(area().written_bytes(), 16 * mebibyte);
  for (const auto& workload : {reading, random_writing, random_reading, writing, random_reading}) run(workload);
  EXPECT_EQ(area().wrong().count, 0) << area().wrong().first;
  verify(area(), GetParam());
  EXPECT_EQ(area().wrong().count, 0) << area().wrong().first;
}

TEST_P(WorkloadBy, CountsRandomTransfersNotBytes) {
  run(writing);
  const auto read = run(random_reading);
  EXPECT_EQ(read.rates.samples.unit, results::Unit::hertz);
  EXPECT_GT(read.cpu_seconds, 0);
  EXPECT_EQ(read.bytes, static_cast<double>(read.operations) * 4096);
}

TEST_P(WorkloadBy, FindsABitThatWasFlippedUnderIt) {
  run(writing);
  change(static_cast<off_t>(OwnFile::data_begin + 3 * mebibyte + 100), 1,
         [](auto& data) { data[0] = static_cast<char>(data[0] ^ 1); });
  verify(area(), GetParam());
  EXPECT_EQ(area().wrong().count, 1);
  EXPECT_THAT(area().wrong().first, HasSubstr("the first at offset 3145828: expected "));
}

TEST_P(WorkloadBy, ReadsAtAFixedRate) {
  run(writing);
  const auto kept = keep_pace(area(), GetParam(), {.per_second = 500, .time = milliseconds(1000)});
  EXPECT_EQ(kept.latency.n(), 500);
  EXPECT_LE(kept.per_second.value(), 500);
  EXPECT_GT(kept.per_second.value(), 50) << "a busy machine may keep it for seconds";
  EXPECT_EQ(area().wrong().count, 0);
}

TEST_P(WorkloadBy, EndsInTimeWhereTheDiskCannotKeepTheRate) {
  run(writing);
  const auto start = std::chrono::steady_clock::now();
  const auto kept = keep_pace(area(), GetParam(), {.per_second = 1e8, .time = milliseconds(200)});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
  EXPECT_GT(kept.latency.n(), 0);
  EXPECT_LT(kept.per_second.value_or(0), 5e7) << "none where a busy disk did one read";
}

TEST_P(WorkloadBy, OfOneReadThereIsNoRate) {
  run(writing);
  const auto kept = keep_pace(area(), GetParam(), {.per_second = 0.1, .time = std::chrono::seconds(9)});
  EXPECT_EQ(kept.latency.n(), 1);
  EXPECT_FALSE(kept.per_second);
}

// All but the first sector of each block is that of the next block.
TEST_P(WorkloadBy, FindsSectorsThatWentToAnotherBlock) {
  constexpr std::ptrdiff_t block = Area::block_bytes;
  constexpr std::ptrdiff_t sector = 512;
  write_first_mebibyte();
  run({.direction = Direction::write, .pattern = Access::random, .block_bytes = Area::block_bytes, .depth = 1});
  change(OwnFile::data_begin, mebibyte, [](auto& data) {
    const auto before = data;
    std::ranges::rotate_copy(before, before.begin() + block, data.begin());
    for (std::ptrdiff_t at = 0; at < std::ssize(data); at += block)
      std::copy_n(before.begin() + at, sector, data.begin() + at);
  });
  verify(area(), GetParam());
  EXPECT_GE(area().wrong().count, 240) << "of 256: neighbours are seldom of the same data";
}

TEST_P(WorkloadBy, ReadsOnceHoweverShortTheTime) {
  run(writing);
  EXPECT_EQ(keep_pace(area(), GetParam(), {.time = std::chrono::nanoseconds(1)}).latency.n(), 1);
}

TEST_P(WorkloadBy, SavesACheckpointOverWhatWasWritten) {
  const Budget short_time{.end = std::chrono::steady_clock::now() + milliseconds(100)};
  EXPECT_THAT([&] { save(area(), GetParam(), {}, {}, short_time); },
              ThrowsMessage<Error>(HasSubstr("nothing has been")));
  run(writing);
  const auto saved = save(area(), GetParam(), {.writers = 3, .block_bytes = mebibyte}, {}, short_time);
  EXPECT_EQ(saved.writers, 3);
  EXPECT_EQ(saved.rates.samples.unit, results::Unit::byte_per_second);
  EXPECT_GE(saved.rates.samples.values.size(), 6);
  EXPECT_GE(saved.bytes, 6.0 * 3 * mebibyte);
  const auto large = save(area(), GetParam(), {.writers = 8, .block_bytes = 6 * mebibyte}, {}, short_time);
  EXPECT_EQ(large.writers, 2) << "of 16 MiB";
  verify(area(), GetParam());
  EXPECT_EQ(area().wrong().count, 0) << area().wrong().first;
}

TEST_P(WorkloadBy, SavesACheckpointOfASlowDiskInSmallerBlocks) {
  write_first_mebibyte();
  const auto saved = save(area(), GetParam(), {}, {}, {.end = std::chrono::steady_clock::now() + milliseconds(100)});
  EXPECT_EQ(saved.writers, 1);
  EXPECT_EQ(saved.block_bytes, mebibyte);
}

TEST_P(WorkloadBy, SaysWhichTransferFailed) {
  run(writing);
  ASSERT_EQ(ftruncate(area().file().number(), static_cast<off_t>(OwnFile::data_begin + 8 * mebibyte)), 0);
  EXPECT_THAT([&] { verify(area(), GetParam()); },
              ThrowsMessage<DiskError>(
                  AllOf(StartsWith("a read of 1048576 bytes at offset "), EndsWith(" ended after 0 bytes"))));
}

TEST_P(WorkloadBy, WritesNoBlockTwiceAtOnce) {
  run(writing);
  Workload many = random_writing;
  many.block_bytes = 2 * mebibyte;
  EXPECT_THAT([&] { run(many); }, ThrowsMessage<Error>(HasSubstr("too little has been written")));
}

// As of a disk that is so slow that little was written in the time there was.
TEST_P(WorkloadBy, ReadsOneBlockManyTimesAtOnce) {
  EXPECT_THAT([&] { run(reading); }, ThrowsMessage<Error>(HasSubstr("too little has been written")));
  write_first_mebibyte();
  EXPECT_GT(run(reading).operations, 0);
  EXPECT_EQ(area().wrong().count, 0);
}

INSTANTIATE_TEST_SUITE_P(, WorkloadBy,
                         testing::Values(Engine{.words = "ring"},
                                         Engine{.words = "unregistered", .registered_buffers = false},
                                         Engine{.words = "blocking", .ring = false}));

}  // namespace
}  // namespace muster::benchmarks::disk
