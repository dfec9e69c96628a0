// SPDX-License-Identifier: Apache-2.0
// Copies of a GPU, healthy and with a word that a kernel flips before anybody looks. Built twice, as words_test.cpp.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/cuda/copy_ends.hpp"
#include "benchmarks/cuda/device.hpp"
#include "benchmarks/cuda/gate.hpp"
#include "tests/support/tested_gpu.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr std::size_t bytes = std::size_t{1} << 20;
constexpr WordPattern of_host{.filling = Filling::random, .seed = 1};
constexpr WordPattern of_device{.filling = Filling::random, .seed = 2};

class CopiesOf : public testing::TestWithParam<HostEnd::Pages> {
 protected:
  void SetUp() override {
    load_kernels_at_start();
    const auto gpu = tests::first_gpu();
    if (gpu.empty()) GTEST_SKIP() << "CUDA finds no GPU here";
    device_.emplace(device_at(gpu), bytes, of_device);
    host_.emplace(bytes, of_host, GetParam());
  }

  void copy(const Copy& one) {
    const auto seconds =
        GetParam() == HostEnd::Pages::pinned ? copies_.seconds(std::vector{one}).front() : host_timed_seconds(one);
    EXPECT_GT(seconds, 0);
  }

  std::optional<DeviceEnd> device_;
  std::optional<HostEnd> host_;
  Copies copies_;
};

TEST_P(CopiesOf, WhatWasNotSentIsWrong) {
  EXPECT_EQ(device_->wrong_words(of_host), bytes / sizeof(std::uint64_t));
  EXPECT_EQ(host_->wrong_words(of_device), bytes / sizeof(std::uint64_t));
}

TEST_P(CopiesOf, ArriveWhole) {
  copy(device_->from(*host_));
  copy(device_->to(*host_));
  EXPECT_EQ(device_->wrong_words(of_host), 0);
  EXPECT_EQ(host_->wrong_words(of_device), 0);
  device_->clear_target();
  EXPECT_EQ(device_->wrong_words(of_host), bytes / sizeof(std::uint64_t));
}

TEST_P(CopiesOf, WordsThatChangedAreCounted) {
  const auto in = device_->from(*host_);
  copy(in);
  auto* const arrived = static_cast<std::uint64_t*>(in.to);
  for (const std::size_t index : {std::size_t{0}, std::size_t{99}, bytes / sizeof(std::uint64_t) - 1})
    tests::flip_on_device(arrived + index, 1);
  EXPECT_EQ(device_->wrong_words(of_host), 3);
  copy(device_->to(*host_));
  host_->target()[7] ^= 1;
  EXPECT_EQ(host_->wrong_words(of_device), 1);
}

INSTANTIATE_TEST_SUITE_P(Pages, CopiesOf, testing::Values(HostEnd::Pages::pinned, HostEnd::Pages::pageable));

class Copiers : public CopiesOf {};

TEST_P(Copiers, AreEnginesAndKernelsAlike) {
  for (const auto mover : {CopyEngine::engine, CopyEngine::kernel}) {
    device_->clear_target();
    host_->clear_target();
    const std::vector both = {device_->from(*host_, mover), repeated(device_->to(*host_, mover), 3)};
    bool has_started = false;
    for (const double seconds : copies_.seconds(both, [&] { has_started = true; })) EXPECT_GT(seconds, 0);
    EXPECT_TRUE(has_started);
    EXPECT_EQ(device_->wrong_words(of_host), 0);
    EXPECT_EQ(host_->wrong_words(of_device), 0);
  }
  EXPECT_EQ(trouble_of(device_->device()), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Pinned, Copiers, testing::Values(HostEnd::Pages::pinned));

}  // namespace
}  // namespace muster::benchmarks::cuda
