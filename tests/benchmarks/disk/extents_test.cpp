// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/extents.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/disk/workload.hpp"
#include "benchmarks/error.hpp"
#include "tests/support/disk.hpp"

namespace muster::benchmarks::disk {
namespace {

using tests::mebibyte;

TEST(ChunksByMember, AreThoseThatLieWholeOnOne) {
  using Chunks = std::vector<std::vector<std::uint64_t>>;
  EXPECT_EQ(chunks_by_member({{.offset = 0, .place = 80, .bytes = 40}}, 10, 3), (Chunks{{10}, {20}, {0, 30}}));
  EXPECT_EQ(chunks_by_member({{.offset = 100, .place = 13, .bytes = 30}}, 10, 2), (Chunks{{107}, {117}}));
  EXPECT_EQ(chunks_by_member({{.offset = 0, .place = 1, .bytes = 9}}, 10, 2), (Chunks{{}, {}}));
}

TEST(Extents, AreOfWhatHasBeenWritten) {
  const tests::DiskFolder folder;
  if (const auto why = folder.why_no_disk(); !why.empty()) GTEST_SKIP() << why;
  const OwnFile file(folder.path(), 64 * mebibyte);
  Area area(file);
  const auto engine = usable_engine(mebibyte);
  try {
    EXPECT_TRUE(extents(file).empty()) << "reserved only";
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  work(area, engine, {.direction = Direction::write, .depth = 2}, {.count = 6},
       {.end = std::chrono::steady_clock::now() + std::chrono::seconds(10)});
  const auto found = extents(file);
  std::uint64_t bytes = 0;
  for (const auto& extent : found) bytes += extent.bytes;
  EXPECT_EQ(bytes, area.written_bytes());
  EXPECT_EQ(found.front().offset, 0);
}

}  // namespace
}  // namespace muster::benchmarks::disk
