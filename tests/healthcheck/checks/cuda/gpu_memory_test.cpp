// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/healthcheck/checks/cuda/eight_gpus.hpp"
#include "tests/support/checked.hpp"

namespace muster::tests {
namespace {

using results::Status;

class GpuMemoryFaults : public EightGpus {
 protected:
  // While it is tested, NVML says something else of GPU 3.
  results::CheckRun run_meanwhile() {
    return run("", ndv5_profile, {.seen = [&](const results::CheckRun& run) {
                 if (run.phase.find("GPU 3") != std::string::npos && run.phase.starts_with("random")) say_of_gpu3();
               }});
  }
};

// What is no fault, and so does not turn red with a judge that always passes.
class GpuMemoryOtherwise : public GpuMemoryFaults {};

TEST_F(GpuMemoryOtherwise, AHealthyNodeIsNotAccused) {
  const auto of_run = run("");
  expect_healthy(of_run);
  EXPECT_EQ(text(of_run, "gpu_memory.tested"), "2.09 MB");
  EXPECT_EQ(text(of_run, "gpu_memory.bandwidth", {{"gpu", "7"}, {"kernel", "read"}}), "2.98 TB/s");
  expect_healthy(run("", "generic"));
}

TEST_F(GpuMemoryOtherwise, MemoryThatIsFreeInPiecesIsTakenAsFarAsItGoes) { expect_healthy(run("gpu_in_pieces")); }

TEST_F(GpuMemoryOtherwise, OneGpuAloneIsNotAccusedOfTheOthers) {
  const auto of_run = run("", ndv5_profile, {.options = {"--gpu", "3"}});
  expect_healthy(of_run);
  EXPECT_EQ(text(of_run, "gpu_memory.wrong_words", {{"gpu", "4"}}), "");
}

TEST_F(GpuMemoryOtherwise, TheSeedOfAReportCanBeUsedAgain) {
  const auto of_run = run("", ndv5_profile, {.options = {"--seed", "4711", "--gpu", "3"}});
  EXPECT_EQ(text(of_run, "gpu_memory.seed"), "0x1267");
}

TEST_F(GpuMemoryFaults, ABitThatIsStuck) {
  const auto of_run = run("gpu_stuck_bit");
  expect_fault(of_run, Status::fail, "gpu_memory_wrong_data", gpu3);
  EXPECT_EQ(text(of_run, "gpu_memory.first_wrong",
                 {{"pattern", "moving inversions"},
                  {"gpu_uuid", "GPU-00000000-0000-0000-0000-000000000000"},
                  {"serial", "0000000000000"}}),
            "offset 0x2690 holds fffffffffffdffff instead of ffffffffffffffff: bit 17; wrong again when it was written "
            "again");
  EXPECT_EQ(text(of_run, "gpu_memory.wrong_bits"), "bit 17");
}

TEST_F(GpuMemoryFaults, AnAddressLineThatIsStuck) {
  const auto of_run = run("gpu_stuck_address");
  expect_fault(of_run, Status::fail, "gpu_memory_wrong_data", {{"gpu", "3"}, {"pattern", "address"}});
  EXPECT_EQ(text(of_run, "gpu_memory.wrong_bits", {{"pattern", "address"}}), "bit 15");
}

TEST_F(GpuMemoryFaults, ABitThatFlippedOnce) {
  const auto of_run = run("gpu_flipped_bit");
  expect_fault(of_run, Status::fail, "gpu_memory_wrong_data", gpu3);
  EXPECT_EQ(text(of_run, "gpu_memory.wrong_words"), "1");
  EXPECT_TRUE(text(of_run, "gpu_memory.first_wrong").ends_with("right when it was written again"));
}

TEST_F(GpuMemoryFaults, AWordThatWasReadWrongOnce) {
  const auto of_run = run("gpu_misread");
  expect_fault(of_run, Status::fail, "gpu_memory_wrong_data", gpu3);
  EXPECT_TRUE(text(of_run, "gpu_memory.first_wrong").ends_with("right when it was read again"));
}

TEST_F(GpuMemoryFaults, AStreamThatWroteNothing) { expect("gpu_loses_writes", Status::fail, "gpu_memory_wrong_data"); }

TEST_F(GpuMemoryFaults, SlowMemory) { expect("gpu_slow", Status::fail, "gpu_memory_slow", {{"kernel", "triad"}}); }

TEST_F(GpuMemoryFaults, SlowMemoryOfAMachineThatNobodyKnows) {
  expect_fault(run("gpu_slow", "generic"), Status::fail, "gpu_memory_slow", {{"gpu", "3"}, {"kernel", "triad"}});
}

TEST_F(GpuMemoryFaults, OneKernelThatIsSlowerThanThatOfItsPeers) {
  expect("gpu_slow_dot", Status::warn, "gpu_memory_slow", {{"kernel", "dot"}});
}

TEST_F(GpuMemoryFaults, MoreThanTheMemoryCanCarryIsNotBelieved) {
  expect_fault(run("gpu_too_fast"), Status::unknown, "measurement_impossible", {{"gpu", "3"}, {"kernel", "triad"}});
}

TEST_F(GpuMemoryFaults, NoDriver) { expect("gpu_no_driver", Status::unknown, "gpu_not_tested"); }

TEST_F(GpuMemoryFaults, AGpuThatIsHidden) {
  setenv("CUDA_VISIBLE_DEVICES", "0,1,2", 1);
  const auto of_run = run("gpu_hidden");
  expect_fault(of_run, Status::unknown, "gpu_not_tested", gpu3);
  EXPECT_EQ(
      text(of_run, "gpu_memory.access"),
      "cudaDeviceGetByPCIBusId of 0008:00:00.0 failed: invalid device ordinal; CUDA_VISIBLE_DEVICES is \"0,1,2\"");
}

TEST_F(GpuMemoryFaults, AGpuThatAnotherProgramHasForItself) {
  expect("gpu_exclusive", Status::unknown, "gpu_not_tested");
}

TEST_F(GpuMemoryFaults, TooLittleFreeMemory) {
  const auto of_run = run("gpu_full");
  expect_fault(of_run, Status::unknown, "gpu_not_tested", gpu3);
  EXPECT_EQ(text(of_run, "gpu_memory.access"), "only 262 kB of 2.1 MB are free");
}

TEST_F(GpuMemoryFaults, HalfOfTheMemoryUntested) { expect("gpu_half_full", Status::unknown, "gpu_memory_occupied"); }

TEST_F(GpuMemoryFaults, AnErrorThatEndsTheTest) {
  const auto of_run = run("gpu_uncorrectable");
  expect_fault(of_run, Status::fail, "gpu_test_broke_off", gpu3);
  EXPECT_EQ(text(of_run, "gpu_memory.outcome"), "work on the GPU failed: uncorrectable ECC error encountered");
}

TEST_F(GpuMemoryFaults, AGpuThatIsLostMeanwhile) {
  const auto of_run = run("gpu_lost");
  expect_fault(of_run, Status::fail, "gpu_test_broke_off", gpu3);
  EXPECT_EQ(text(of_run, "gpu_memory.outcome", {{"gpu", "4"}}), "completed");
}

TEST_F(GpuMemoryFaults, ACallThatFailsOnAGpuThatGoesOnAccusesNobody) {
  const auto of_run = run("gpu_refuses");
  expect_fault(of_run, Status::unknown, "check_error", {});
  EXPECT_EQ(of_run.reason, "cudaMemsetAsync failed: invalid argument");
  EXPECT_EQ(text(of_run, "gpu_memory.outcome"), "");
}

// By type, since when and where, as nvmlDeviceGetMemoryErrorCounter is asked.
TEST_F(GpuMemoryFaults, AnErrorThatEccCountedMeanwhile) {
  gpu_["nvmlDeviceGetMemoryErrorCounter"]["1.0.2"] = 1;
  expect_fault(run_meanwhile(), Status::fail, "gpu_ecc_uncorrectable", {{"gpu", "3"}, {"memory", "dram"}});
}

TEST_F(GpuMemoryFaults, ErrorsThatEccCorrectedMeanwhile) {
  gpu_["nvmlDeviceGetMemoryErrorCounter"]["0.0.2"] = 5;
  expect_fault(run_meanwhile(), Status::warn, "gpu_ecc_correctable", {{"gpu", "3"}, {"memory", "dram"}});
}

TEST_F(GpuMemoryFaults, ARowThatWasRemappedMeanwhile) {
  gpu_["nvmlDeviceGetRemappedRows"] = {1, 0, 0, 0};
  expect_fault(run_meanwhile(), Status::fail, "gpu_row_remap_pending", {{"gpu", "3"}, {"errors", "correctable"}});
}

TEST_F(GpuMemoryOtherwise, WhatWasCountedBeforeIsHistory) {
  gpu_["nvmlDeviceGetMemoryErrorCounter"] = {{"1.0.2", 1}, {"0.0.2", 5}};
  gpu_["nvmlDeviceGetRemappedRows"] = {1, 1, 0, 0};
  say_of_gpu3();
  expect_healthy(run(""));
}

TEST_F(GpuMemoryFaults, CountersThatNvmlDoesNotSay) {
  gpu_["nvmlDeviceGetMemoryErrorCounter"] = {{"refused", 999}};
  say_of_gpu3();
  const auto of_run = run("");
  expect_fault(of_run, Status::unknown, "gpu_state_unreadable", gpu3);
  EXPECT_EQ(text(of_run, "gpu_memory.counters"), "Unknown Error");
}

}  // namespace
}  // namespace muster::tests
