// SPDX-License-Identifier: Apache-2.0
// All free memory of a GPU, healthy and with bits that a kernel flips between writing and looking. Built twice: with
// CUDA, and with the GPUs of tests/support/cuda_in_memory.cpp, so that no machine is needed to know that it can fail.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/cuda/gate.hpp"
#include "benchmarks/cuda/gpu_streams.hpp"
#include "benchmarks/cuda/gpu_words.hpp"
#include "benchmarks/data/memory_march.hpp"
#include "benchmarks/error.hpp"
#include "tests/support/tested_gpu.hpp"

namespace muster::benchmarks::cuda {
namespace {

// A GPU's words, of which some are changed when a sweep has written them.
class FlippedWords final : public WordMemory {
 public:
  using Flips = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // index and bits

  FlippedWords(const VacantMemory& memory, Flips flips)
      : words_(memory),
        begin_(static_cast<std::uint64_t*>(static_cast<void*>(memory.range().data()))),
        flips_(std::move(flips)) {}

  std::size_t words() const override { return words_.words(); }
  Sweep write(const WordPattern& pattern) override {
    auto sweep = words_.write(pattern);
    for (const auto& [index, bits] : flips_) tests::flip_on_device(begin_ + index, bits);
    return sweep;
  }
  Sweep verify(const WordPattern& pattern) override { return words_.verify(pattern); }
  Sweep invert(const WordPattern& pattern, Order order) override { return words_.invert(pattern, order); }
  std::uint64_t read_one(std::uint64_t index) override { return words_.read_one(index); }
  void write_one(std::uint64_t index, std::uint64_t word) override { words_.write_one(index, word); }

 private:
  GpuWords words_;
  std::uint64_t* begin_;
  Flips flips_;
};

class Words : public testing::Test {
 protected:
  void SetUp() override {
    load_kernels_at_start();
    const auto gpu = tests::first_gpu();
    if (gpu.empty()) GTEST_SKIP() << "CUDA finds no GPU here";
    memory_.emplace(gpu);
  }

  std::optional<VacantMemory> memory_;
};

const std::vector<March> quick = marches(4711, false);

TEST_F(Words, AreNearlyAllOfTheMemory) {
  GpuWords words(*memory_);
  EXPECT_GT(static_cast<double>(words.words() * sizeof(std::uint64_t)), 0.9 * memory_->all_bytes());
}

TEST_F(Words, HoldEveryPattern) {
  GpuWords words(*memory_);
  for (const auto& how : quick) {
    const auto marched = march(words, how);
    EXPECT_EQ(marched.wrong, 0) << how.name << ": " << (marched.first ? to_text(*marched.first) : "");
    EXPECT_GT(marched.seconds, 0) << how.name;
  }
}

TEST_F(Words, ThatAreFlippedAreFoundWhereverTheyAre) {
  const auto last = GpuWords(*memory_).words() - 1;
  for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1}, last / 3, last - 1, last})
    for (const auto& how : quick) {
      const auto bit = std::uint64_t{1} << (index % 64);
      FlippedWords words(*memory_, {{index, bit}});
      const auto marched = march(words, how);
      EXPECT_EQ(marched.wrong, 1) << how.name << ' ' << index;
      EXPECT_EQ(marched.differing, bit) << how.name << ' ' << index;
      ASSERT_TRUE(marched.first) << how.name << ' ' << index;
      EXPECT_EQ(marched.first->mismatch.index, index) << how.name;
      EXPECT_EQ(marched.first->mismatch.found, marched.first->mismatch.expected ^ bit) << how.name << ' ' << index;
      EXPECT_EQ(marched.first->persistence, Persistence::until_written_again) << how.name << ' ' << index;
    }
}

TEST_F(Words, ThatAreFlippedAreAllCounted) {
  FlippedWords::Flips flips;
  for (std::uint64_t number = 0; number < 1000; ++number)
    flips.emplace_back(7 * number + 3, std::uint64_t{1} << (number % 64));
  FlippedWords words(*memory_, flips);
  for (const auto& how : quick) {
    const auto marched = march(words, how);
    EXPECT_EQ(marched.wrong, flips.size()) << how.name;
    EXPECT_EQ(marched.differing, ~std::uint64_t{0}) << how.name;
  }
}

TEST_F(Words, AreWrittenAndReadOneByOne) {
  GpuWords words(*memory_);
  const auto last = words.words() - 1;
  words.write(WordPattern{});
  words.write_one(last, 42);
  EXPECT_EQ(words.read_one(last), 42);
  EXPECT_EQ(words.read_one(last - 1), 0);
  EXPECT_EQ(words.verify(WordPattern{}).mismatches.first, (Mismatch{.index = last, .expected = 0, .found = 42}));
}

TEST_F(Words, AreStreamedThroughWithRightSumsAndNotFasterThanTheyCan) {
  GpuStreams streams(*memory_);
  const auto limit = memory_limit();
  for (int turn = 0; turn < 30; ++turn)
    for (const double rate : streams.cycle()) {
      EXPECT_GT(rate, 0);
      if (limit) {
        EXPECT_LT(rate, limit->bytes_per_second);
      }
    }
  EXPECT_EQ(streams.wrong_sums(), 0);
}

TEST(VacantMemory, OfAGpuThatIsNotThereIsRefusedByItsAddress) {
  if (tests::first_gpu().empty()) GTEST_SKIP() << "CUDA finds no GPU here";
  EXPECT_THROW(VacantMemory("ffff:ff:1f.0"), Error);
}

}  // namespace
}  // namespace muster::benchmarks::cuda
