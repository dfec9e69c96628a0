// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cublas/matrix_product.hpp"

#include <cublasLt.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "benchmarks/cuda/handles.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/handle.hpp"

namespace muster::benchmarks::cublas {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // what NVIDIA recommends for Hopper and later

void require(cublasStatus_t status, std::string_view call) {
  if (status != CUBLAS_STATUS_SUCCESS) throw Error(fmt::format("{} failed: {}", call, cublasLtGetStatusString(status)));
}

struct Types {
  cudaDataType_t input;
  cudaDataType_t result;
  cublasComputeType_t sums;
  cudaDataType_t factors;
};

Types types_of(Arithmetic arithmetic) {
  constexpr std::array<Types, arithmetics.size()> all = {{
      {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F},
      {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F},
      {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F},
      {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F},
      {CUDA_R_8F_E4M3, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F},
      {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I},
  }};
  return all.at(static_cast<std::size_t>(arithmetic));
}

// 1 and 0 as a type of factors has them.
union Factor {
  double of_64_bits;
  float of_32_bits;
  std::int32_t whole;
};
Factor factor(cudaDataType_t type, int value) {
  if (type == CUDA_R_64F) return {.of_64_bits = static_cast<double>(value)};
  if (type == CUDA_R_32F) return {.of_32_bits = static_cast<float>(value)};
  return {.whole = value};
}

using Library = Handle<cublasLtContext, cublasLtDestroy>;
using Operation = Handle<cublasLtMatmulDescOpaque_t, cublasLtMatmulDescDestroy>;
using Layout = Handle<cublasLtMatrixLayoutOpaque_t, cublasLtMatrixLayoutDestroy>;
using Preference = Handle<cublasLtMatmulPreferenceOpaque_t, cublasLtMatmulPreferenceDestroy>;

Library make_library() {
  cublasLtHandle_t library = nullptr;
  require(cublasLtCreate(&library), "cublasLtCreate");
  return Library(library);
}

// a transposed, which fp8 and int8 want.
Operation make_operation(const Types& types) {
  cublasLtMatmulDesc_t operation = nullptr;
  require(cublasLtMatmulDescCreate(&operation, types.sums, types.factors), "cublasLtMatmulDescCreate");
  Operation owned(operation);
  const cublasOperation_t transposed = CUBLAS_OP_T;
  require(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
          "cublasLtMatmulDescSetAttribute");
  return owned;
}

Layout make_layout(cudaDataType_t type, std::size_t size) {
  cublasLtMatrixLayout_t layout = nullptr;
  require(cublasLtMatrixLayoutCreate(&layout, type, size, size, static_cast<std::int64_t>(size)),
          "cublasLtMatrixLayoutCreate");
  return Layout(layout);
}

Preference make_preference() {
  cublasLtMatmulPreference_t preference = nullptr;
  require(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  Preference owned(preference);
  const std::uint32_t in_one_piece = CUBLASLT_REDUCTION_SCHEME_NONE;
  for (const auto& [attribute, value, bytes] :
       {std::tuple<cublasLtMatmulPreferenceAttributes_t, const void*, std::size_t>(
            CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes, sizeof workspace_bytes),
        {CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &in_one_piece, sizeof in_one_piece}})
    require(cublasLtMatmulPreferenceSetAttribute(preference, attribute, value, bytes),
            "cublasLtMatmulPreferenceSetAttribute");
  return owned;
}

class OfCublas final : public MatrixProduct {
 public:
  explicit OfCublas(const ProductInput& input)
      : types_(types_of(input.arithmetic)),
        operation_(make_operation(types_)),
        input_(make_layout(types_.input, input.size)),
        result_(make_layout(types_.result, input.size)),
        one_(factor(types_.factors, 1)),
        zero_(factor(types_.factors, 0)),
        workspace_(cuda::cuda_memory(workspace_bytes)) {}

  // False where there is no way.
  bool choose() {
    const auto preference = make_preference();
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    const auto status =
        cublasLtMatmulAlgoGetHeuristic(library_.get(), operation_.get(), input_.get(), input_.get(), result_.get(),
                                       result_.get(), preference.get(), 1, &found, &count);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH) return false;
    require(status, "cublasLtMatmulAlgoGetHeuristic");
    algorithm_ = found.algo;
    return count > 0;
  }

  void enqueue(const void* a, const void* b, void* d, cudaStream_t stream) override {
    require(cublasLtMatmul(library_.get(), operation_.get(), &one_, a, input_.get(), b, input_.get(), &zero_, d,
                           result_.get(), d, result_.get(), &algorithm_, workspace_.get(), workspace_bytes, stream),
            "cublasLtMatmul");
  }

 private:
  Types types_;
  Library library_ = make_library();
  Operation operation_;
  Layout input_;
  Layout result_;
  Factor one_;
  Factor zero_;
  cuda::CudaMemory workspace_;
  cublasLtMatmulAlgo_t algorithm_{};
};

}  // namespace

std::unique_ptr<MatrixProduct> MatrixProduct::make(const ProductInput& input) {
  auto product = std::make_unique<OfCublas>(input);
  if (!product->choose()) return nullptr;
  return product;
}

}  // namespace muster::benchmarks::cublas
