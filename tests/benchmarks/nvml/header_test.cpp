// SPDX-License-Identifier: Apache-2.0
// NVML as muster declares it, held against its own header.
#include <gtest/gtest.h>
#include <nvml.h>

#include <cstddef>
#include <type_traits>

#include "benchmarks/nvml/calls.hpp"

namespace muster::benchmarks::nvml {
namespace {

template <class Type>
concept Complete = requires { sizeof(Type); };

// Whether two arguments are of one size and, where they are pointers, what they point to as well.
template <class Ours, class Theirs>
constexpr bool alike() {
  // NOLINTBEGIN(bugprone-sizeof-expression): the sizes of pointers are meant
  if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    using Mine = std::remove_pointer_t<Ours>;
    using Nvmls = std::remove_pointer_t<Theirs>;
    if constexpr (Complete<Mine> && Complete<Nvmls>) return sizeof(Mine) == sizeof(Nvmls);
    return !Complete<Mine> && !Complete<Nvmls>;
  }
  return sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
  // NOLINTEND(bugprone-sizeof-expression)
}

template <class Function>
struct Signature;
template <class... Theirs>
struct Signature<nvmlReturn_t(Theirs...)> {
  template <class... Ours>
  static constexpr bool is_that_of(const Call<Ours...>&) {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs)) return (alike<Ours, Theirs>() && ...);
    return false;
  }
};

TEST(NvmlHeader, DeclaresTheSameFunctions) {
  EXPECT_TRUE(Signature<decltype(nvmlInitWithFlags)>::is_that_of(init));
  EXPECT_TRUE(Signature<decltype(nvmlShutdown)>::is_that_of(shutdown));
  EXPECT_TRUE(Signature<decltype(nvmlSystemGetDriverVersion)>::is_that_of(driver_version));
  EXPECT_TRUE(Signature<decltype(nvmlSystemGetNVMLVersion)>::is_that_of(library_version));
  EXPECT_TRUE(Signature<decltype(nvmlSystemGetConfComputeState)>::is_that_of(confidential_state));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetHandleByPciBusId_v2)>::is_that_of(gpu_by_address));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetName)>::is_that_of(model));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetUUID)>::is_that_of(uuid));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetSerial)>::is_that_of(serial));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetVbiosVersion)>::is_that_of(vbios));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceValidateInforom)>::is_that_of(validate_inforom));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetEccMode)>::is_that_of(ecc_mode));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetMemoryErrorCounter)>::is_that_of(memory_errors));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetSramEccErrorStatus)>::is_that_of(sram_errors));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetRemappedRows)>::is_that_of(remapped_rows));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetRowRemapperHistogram)>::is_that_of(spare_rows));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetCurrPcieLinkGeneration)>::is_that_of(pcie_generation));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetMaxPcieLinkGeneration)>::is_that_of(max_pcie_generation));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetCurrPcieLinkWidth)>::is_that_of(pcie_width));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetMaxPcieLinkWidth)>::is_that_of(max_pcie_width));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetPcieReplayCounter)>::is_that_of(pcie_replays));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetNvLinkState)>::is_that_of(nvlink_state));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetNvLinkErrorCounter)>::is_that_of(nvlink_errors));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetFieldValues)>::is_that_of(fields));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetCurrentClocksEventReasons)>::is_that_of(slow_clock_reasons));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetClockInfo)>::is_that_of(clock));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetMaxClockInfo)>::is_that_of(max_clock));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetMarginTemperature)>::is_that_of(margin_temperature));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetPowerUsage)>::is_that_of(power));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetEnforcedPowerLimit)>::is_that_of(power_limit));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetPowerManagementDefaultLimit)>::is_that_of(default_power_limit));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetPersistenceMode)>::is_that_of(persistence));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetMigMode)>::is_that_of(mig_mode));
  EXPECT_TRUE(Signature<decltype(nvmlDeviceGetComputeRunningProcesses_v3)>::is_that_of(processes));
}

TEST(NvmlHeader, LaysStructuresOutTheSame) {
  EXPECT_EQ(version_of<SramErrors>(1), nvmlEccSramErrorStatus_v1);
  EXPECT_EQ(offsetof(SramErrors, uncorrected_sec_ded), offsetof(nvmlEccSramErrorStatus_t, aggregateUncSecDed));
  EXPECT_EQ(offsetof(SramErrors, threshold_exceeded), offsetof(nvmlEccSramErrorStatus_t, bThresholdExceeded));
  EXPECT_EQ(offsetof(Field, code), offsetof(nvmlFieldValue_t, nvmlReturn));
  EXPECT_EQ(offsetof(Field, number), offsetof(nvmlFieldValue_t, value));
  EXPECT_EQ(version_of<FabricInfo>(2), nvmlGpuFabricInfo_v2);
  EXPECT_EQ(offsetof(FabricInfo, state), offsetof(nvmlGpuFabricInfo_v2_t, state));
  EXPECT_EQ(offsetof(FabricInfo, health_mask), offsetof(nvmlGpuFabricInfo_v2_t, healthMask));
  EXPECT_EQ(version_of<MarginTemperature>(1), nvmlMarginTemperature_v1);
}

TEST(NvmlHeader, HasTheSameNumbers) {
  EXPECT_EQ(static_cast<int>(Code::not_supported), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(static_cast<int>(Code::not_found), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(static_cast<int>(Code::insufficient_size), NVML_ERROR_INSUFFICIENT_SIZE);
  EXPECT_EQ(static_cast<int>(Code::driver_not_loaded), NVML_ERROR_DRIVER_NOT_LOADED);
  EXPECT_EQ(static_cast<int>(Code::function_not_found), NVML_ERROR_FUNCTION_NOT_FOUND);
  EXPECT_EQ(static_cast<int>(Code::corrupted_inforom), NVML_ERROR_CORRUPTED_INFOROM);
  EXPECT_EQ(static_cast<int>(Code::gpu_is_lost), NVML_ERROR_GPU_IS_LOST);
  EXPECT_EQ(static_cast<int>(Code::reset_required), NVML_ERROR_RESET_REQUIRED);
  EXPECT_EQ(static_cast<int>(Code::argument_version_mismatch), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  EXPECT_EQ(even_without_gpus, unsigned{NVML_INIT_FLAG_NO_GPUS});
  EXPECT_EQ(corrected, NVML_MEMORY_ERROR_TYPE_CORRECTED);
  EXPECT_EQ(uncorrected, NVML_MEMORY_ERROR_TYPE_UNCORRECTED);
  EXPECT_EQ(since_the_driver_was_loaded, NVML_VOLATILE_ECC);
  EXPECT_EQ(since_the_gpu_was_made, NVML_AGGREGATE_ECC);
  EXPECT_EQ(in_dram, NVML_MEMORY_LOCATION_DRAM);
  EXPECT_EQ(in_sram, NVML_MEMORY_LOCATION_SRAM);
  EXPECT_EQ(of_multiprocessors, NVML_CLOCK_SM);
  EXPECT_EQ(of_memory, NVML_CLOCK_MEM);
  EXPECT_EQ(of_the_die, NVML_TEMPERATURE_GPU);
  EXPECT_EQ(no_fabric, unsigned{NVML_GPU_FABRIC_STATE_NOT_SUPPORTED});
  EXPECT_EQ(fabric_completed, unsigned{NVML_GPU_FABRIC_STATE_COMPLETED});
  EXPECT_EQ(memory_temperature_field, unsigned{NVML_FI_DEV_MEMORY_TEMP});
  EXPECT_EQ(nvlink_count_field, unsigned{NVML_FI_DEV_NVLINK_LINK_COUNT});
  EXPECT_EQ(nvlink_speed_field, unsigned{NVML_FI_DEV_NVLINK_GET_SPEED});
  EXPECT_EQ(recovery_action_field, unsigned{NVML_FI_DEV_GET_GPU_RECOVERY_ACTION});
}

}  // namespace
}  // namespace muster::benchmarks::nvml
