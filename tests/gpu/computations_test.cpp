// SPDX-License-Identifier: Apache-2.0
// What a GPU computes, healthy and with a bit that a kernel flips in a result. Built twice, as words_test.cpp.
#include <gtest/gtest.h>

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/cublas/product.hpp"
#include "benchmarks/cuda/call.hpp"
#include "benchmarks/cuda/device.hpp"
#include "benchmarks/cuda/repeater.hpp"
#include "benchmarks/data/exact_product.hpp"
#include "tests/support/tested_gpu.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr std::size_t size = 128;
constexpr auto patience = std::chrono::seconds(60);

// Computes what another does, and then a bit of it is flipped, in one run or in all.
class Flipped final : public Computation {
 public:
  Flipped(Computation& right, std::uint64_t word, std::optional<int> run) : right_(right), word_(word), run_(run) {}

  std::size_t words() const override { return right_.words(); }
  std::string place(std::uint64_t word, std::uint64_t bits) const override { return right_.place(word, bits); }
  void enqueue(std::uint64_t* result, cudaStream_t stream) override {
    right_.enqueue(result, stream);
    if (run_ && *run_ != runs_++) return;
    require_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    tests::flip_on_device(result + word_, 2);
  }

 private:
  Computation& right_;
  std::uint64_t word_;
  std::optional<int> run_;
  int runs_ = 0;
};

class ComputationsOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    const auto gpu = tests::first_gpu();
    if (gpu.empty()) GTEST_SKIP() << "CUDA finds no GPU here";
    use_device(device_at(gpu));
    repeater_.emplace(result_bytes_for(size));
    memory_.emplace(size);
  }

  // How many words of five repetitions differed from the first.
  Mismatches repeated(Computation& computation) {
    repeater_->compute_first(computation);
    repeater_->repeat(computation, 5);
    for (const double seconds : repeater_->wait(patience)) EXPECT_GT(seconds, 0);
    return repeater_->mismatches();
  }
  std::uint64_t hash(Computation& computation) {
    repeater_->compute_first(computation);
    repeater_->wait(patience);
    return repeater_->hash();
  }

  std::optional<Repeater> repeater_;
  std::optional<cublas::ProductMemory> memory_;
};

TEST_F(ComputationsOnGpu, ByKernelsAreTheSameAgain) {
  for (const auto& make : {special_functions, ordered_sums}) {
    EXPECT_EQ(repeated(*make(1)).count, 0);
    EXPECT_EQ(hash(*make(1)), hash(*make(1)));
    EXPECT_NE(hash(*make(1)), hash(*make(2)));
  }
}

TEST_F(ComputationsOnGpu, ABitThatFlipsInOneRunIsFound) {
  const auto right = ordered_sums(1);
  const auto usual = hash(*right);
  Flipped flipped(*right, 99, 3);
  const auto found = repeated(flipped);
  EXPECT_EQ(found.count, 1);
  EXPECT_EQ(found.differing, 2);
  EXPECT_EQ(found.first->index, 99);
  EXPECT_EQ(repeater_->hash(), usual);
}

TEST_F(ComputationsOnGpu, ABitThatFlipsInEveryRunChangesTheHash) {
  const auto right = special_functions(1);
  Flipped flipped(*right, 99, {});
  EXPECT_EQ(repeated(flipped).count, 0);
  const auto flipped_hash = repeater_->hash();
  EXPECT_NE(flipped_hash, hash(*right));
}

class ProductsOnGpu : public ComputationsOnGpu, public testing::WithParamInterface<Arithmetic> {
 protected:
  void prepare(Numbers numbers) {
    const ProductInput input{.arithmetic = GetParam(), .numbers = numbers, .size = size, .seed = 7};
    way_ = cublas::MatrixProduct::make(input);
    if (way_) product_ = std::make_unique<cublas::Product>(*way_, *memory_, input, repeater_->stream());
  }
  // Of a computation that is the product's.
  WrongRows judged(Computation& computation, std::uint64_t seed) {
    repeater_->compute_first(computation);
    cublas::add_up(*product_, repeater_->first(), seed, *memory_, repeater_->stream());
    repeater_->wait(patience);
    const auto sums = cublas::row_sums(*product_, *memory_);
    return wrong_rows(sums.expected, sums.found);
  }

  std::unique_ptr<cublas::MatrixProduct> way_;
  std::unique_ptr<cublas::Product> product_;
};

TEST_P(ProductsOnGpu, AreOfWhatTheHostSays) {
  for (const auto numbers : {Numbers::whole, Numbers::random}) {
    prepare(numbers);
    if (!way_) GTEST_SKIP() << "this GPU has none";
    repeater_->wait(patience);
    const auto input = product_->input();
    const std::size_t bytes = format_of(input.arithmetic).bytes();
    for (const auto& [matrix, place] : {std::pair(Matrix::a, memory_->a()), std::pair(Matrix::b, memory_->b())}) {
      std::vector<std::byte> elements(size * size * bytes);
      require_cuda(cudaMemcpy(elements.data(), place, elements.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
      for (std::size_t index = 0; index < size * size; ++index) {
        std::uint64_t found = 0;
        std::memcpy(&found, &elements[index * bytes], bytes);
        ASSERT_EQ(found, input.element(matrix, index)) << index;
      }
    }
  }
}

TEST_P(ProductsOnGpu, OfWholeNumbersAreExactAndOfRandomOnesTheSameAgain) {
  prepare(Numbers::whole);
  if (!way_) GTEST_SKIP() << "this GPU has none";
  for (const auto seed : {1U, 2U}) EXPECT_EQ(judged(*product_, seed).count, 0);
  prepare(Numbers::random);
  EXPECT_EQ(repeated(*product_).count, 0);
}

TEST_P(ProductsOnGpu, AnElementThatIsWrongInEveryRunIsFoundByBothSeeds) {
  prepare(Numbers::whole);
  if (!way_) GTEST_SKIP() << "this GPU has none";
  const std::uint64_t word = 5 * size * result_bytes(GetParam()) / sizeof word + 3;  // in column 5
  Flipped flipped(*product_, word, {});
  for (const auto seed : {1U, 2U}) {
    const auto wrong = judged(flipped, seed);
    ASSERT_EQ(wrong.count, 1);
    const auto element = wrong_element(product_->input(), *wrong.first, repeater_->copied());
    ASSERT_TRUE(element);
    EXPECT_EQ(element->column, 5);
    EXPECT_EQ(flipped.place(word, 2), "row " + std::to_string(element->row) + ", column 5");
  }
}

INSTANTIATE_TEST_SUITE_P(By, ProductsOnGpu, testing::ValuesIn(arithmetics),
                         [](const auto& each) { return std::string(to_text(each.param)); });

}  // namespace
}  // namespace muster::benchmarks::cuda
