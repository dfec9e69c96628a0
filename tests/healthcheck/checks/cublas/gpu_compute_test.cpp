// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "healthcheck/program/error.hpp"
#include "tests/healthcheck/checks/cuda/eight_gpus.hpp"
#include "tests/support/checked.hpp"

namespace muster::tests {
namespace {

using results::Status;

constexpr auto wrong = "gpu_compute_wrong_result";

// Eight that compute at 1755 MHz, which is what their power allows.
class GpuComputeFaults : public EightGpus {
 protected:
  GpuComputeFaults() {
    gpu_["nvmlDeviceGetClockInfo"] = {0, 1755, 2619};
    gpu_["nvmlDeviceGetCurrentClocksEventReasons"] = 4;
    gpu_["nvmlDeviceGetPowerUsage"] = 698'000;
    say_of_all();
    options_ = {"--size", "64"};
    is_short_ = true;
  }
};

// What is no fault, and so does not turn red with a judge that always passes.
class GpuComputeOtherwise : public GpuComputeFaults {};

TEST_F(GpuComputeOtherwise, AHealthyNodeIsNotAccused) {
  const auto of_run = run("");
  expect_healthy(of_run);
  EXPECT_EQ(text(of_run, "gpu_compute.rate", {{"gpu", "7"}, {"arithmetic", "fp16"}}), "759 Top/s");
  EXPECT_EQ(text(of_run, "gpu_compute.clock", {{"gpu", "7"}, {"arithmetic", "fp16"}}), "1.76 GHz");
  EXPECT_EQ(text(of_run, "gpu_compute.power", {{"gpu", "7"}, {"arithmetic", "fp16"}}), "698 W");
  EXPECT_EQ(text(of_run, "gpu_compute.clock_reasons"), "power cap");
  EXPECT_EQ(text(of_run, "gpu_compute.slowdowns"), "none");
  expect_healthy(run("", "generic"));
}

TEST_F(GpuComputeOtherwise, OneGpuAloneIsNotAccusedOfTheOthers) {
  const auto of_run = run("", ndv5_profile, {.options = {"--gpu", "3"}});
  expect_healthy(of_run);
  EXPECT_EQ(text(of_run, "gpu_compute.hash", {{"gpu", "4"}}), "");
}

TEST_F(GpuComputeOtherwise, AnotherSeedGivesOtherResults) {
  const auto of_run = run("", ndv5_profile, {.options = {"--seed", "2", "--gpu", "3"}});
  EXPECT_NE(text(of_run, "gpu_compute.hash"), text(run(""), "gpu_compute.hash"));
}

TEST_F(GpuComputeOtherwise, ASizeThatCannotBeIsRefused) {
  for (const auto* size : {"0", "100", "8256"}) {
    options_ = {"--size", size};
    EXPECT_THROW(run(""), healthcheck::UsageError) << size;
  }
}

TEST_F(GpuComputeOtherwise, AModelThatIsAloneHasNoSiblings) {
  const auto of_run = run("gpu_of_another_model", "generic");
  expect_healthy(of_run);
  EXPECT_EQ(text(of_run, "gpu_compute.first_different"), "");
}

TEST_F(GpuComputeOtherwise, AGpuWithoutFp8IsAskedForTheRest) {
  const auto of_run = run("gpu_without_fp8", "generic");
  expect_healthy(of_run);
  EXPECT_EQ(text(of_run, "gpu_compute.rate", {{"arithmetic", "fp8"}}), "");
  EXPECT_NE(text(of_run, "gpu_compute.rate", {{"arithmetic", "int8"}}), "");
}

TEST_F(GpuComputeFaults, AnArithmeticThatTheMachineShouldHave) {
  expect_fault(run("gpu_without_fp8"), Status::fail, "not_measured", {});
}

TEST_F(GpuComputeFaults, AnElementThatIsWrongInEveryRun) {
  const auto of_run = run("gpu_miscomputes");
  for (const auto* arithmetic : {"fp64", "tf32", "bf16", "fp16", "fp8", "int8"}) {
    expect_fault(of_run, Status::fail, wrong, {{"gpu", "3"}, {"arithmetic", arithmetic}});
    EXPECT_EQ(text(of_run, "gpu_compute.wrong_rows", {{"gpu", "3"}, {"arithmetic", arithmetic}}), "1");
    EXPECT_EQ(text(of_run, "gpu_compute.wrong_rows", {{"gpu", "4"}, {"arithmetic", arithmetic}}), "0");
  }
  const auto first = text(of_run, "gpu_compute.first_wrong",
                          {{"gpu", "3"},
                           {"arithmetic", "int8"},
                           {"gpu_uuid", "GPU-00000000-0000-0000-0000-000000000000"},
                           {"serial", "0000000000000"}});
  EXPECT_TRUE(first.starts_with("row 13, column 1: ")) << first;
}

TEST_F(GpuComputeFaults, AnElementThatIsWrongInEveryRunOfOneGpuAlone) {
  const auto of_run = run("gpu_miscomputes", "generic", {.options = {"--gpu", "3"}});
  expect_fault(of_run, Status::fail, wrong, {{"gpu", "3"}, {"arithmetic", "fp64"}});
}

TEST_F(GpuComputeFaults, ABitOfRandomNumbersThatOnlyTheSiblingsKnow) {
  const auto of_run = run("gpu_miscomputes_random");
  expect_fault(of_run, Status::fail, wrong, {{"gpu", "3"}, {"computation", "fp16 product"}});
  EXPECT_EQ(text(of_run, "gpu_compute.wrong_rows", {{"gpu", "3"}, {"arithmetic", "fp16"}}), "0");
  const auto first = text(of_run, "gpu_compute.first_different", {{"gpu", "3"}, {"computation", "fp16 product"}});
  EXPECT_TRUE(first.starts_with("row 13, column 1: ")) << first;
  EXPECT_EQ(text(of_run, "gpu_compute.first_different", {{"gpu", "4"}}), "");
}

TEST_F(GpuComputeFaults, AResultThatIsNotAlwaysTheSame) {
  const auto of_run = run("gpu_miscomputes_at_times");
  expect_fault(of_run, Status::fail, wrong, {{"gpu", "3"}, {"computation", "tf32 product"}});
  const auto first = text(of_run, "gpu_compute.first_unrepeated", {{"gpu", "3"}, {"computation", "tf32 product"}});
  EXPECT_TRUE(first.starts_with("row 13, column 1: ")) << first;
}

TEST_F(GpuComputeFaults, ASpecialFunctionThatIsWrong) {
  expect("gpu_misjudges_functions", Status::fail, wrong, {{"computation", "special functions"}});
}

TEST_F(GpuComputeFaults, ASumThatIsWrong) {
  const auto of_run = run("gpu_missums");
  expect_fault(of_run, Status::fail, wrong, {{"gpu", "3"}, {"computation", "sums"}});
  EXPECT_TRUE(text(of_run, "gpu_compute.first_different", {{"gpu", "3"}}).starts_with("result 17: "));
}

TEST_F(GpuComputeFaults, AGpuThatIsSlowAtItsClock) {
  expect("gpu_computes_slowly", Status::warn, "gpu_compute_slow", {{"arithmetic", "bf16"}});
}

TEST_F(GpuComputeFaults, MoreThanTheClockAllowsIsNotBelieved) {
  expect("gpu_computes_too_fast", Status::unknown, "measurement_impossible", {{"arithmetic", "fp16"}});
}

TEST_F(GpuComputeFaults, AGpuThatHeatSlowsDown) {
  gpu_["nvmlDeviceGetCurrentClocksEventReasons"] = 0x24;
  say_of_gpu3();
  const auto of_run = run("");
  expect_fault(of_run, Status::warn, "gpu_throttled", {{"gpu", "3"}, {"arithmetic", "fp16"}});
  EXPECT_EQ(text(of_run, "gpu_compute.slowdowns"), "heat");
  EXPECT_EQ(text(of_run, "gpu_compute.clock_reasons"), "power cap, heat");
}

TEST_F(GpuComputeFaults, AClockBelowThatOfTheSiblingsIsToldFromAGpuThatIsSlow) {
  gpu_["nvmlDeviceGetClockInfo"] = {0, 990, 2619};
  say_of_gpu3();
  const auto of_run = run("gpu_computes_slowly");
  expect_fault(of_run, Status::warn, "gpu_throttled", {{"gpu", "3"}, {"arithmetic", "fp16"}});
  for (const auto& verdict : of_run.verdicts)
    EXPECT_FALSE(verdict.status == Status::fail) << verdict.metric << ' ' << verdict.reason;
}

TEST_F(GpuComputeFaults, ClocksThatNvmlDoesNotSay) {
  gpu_["nvmlDeviceGetClockInfo"] = {{"refused", 999}};
  say_of_gpu3();
  const auto of_run = run("");
  expect_fault(of_run, Status::unknown, "gpu_state_unreadable", gpu3);
  EXPECT_EQ(text(of_run, "gpu_compute.counters"), "Unknown Error");
}

TEST_F(GpuComputeFaults, NoDriver) { expect("gpu_no_driver", Status::unknown, "gpu_not_tested"); }

TEST_F(GpuComputeFaults, AGpuThatIsHidden) {
  setenv("CUDA_VISIBLE_DEVICES", "0,1,2", 1);
  expect("gpu_hidden", Status::unknown, "gpu_not_tested");
}

TEST_F(GpuComputeFaults, AGpuThatAnotherProgramHasForItself) {
  expect("gpu_exclusive", Status::unknown, "gpu_not_tested");
}

TEST_F(GpuComputeFaults, TooLittleFreeMemory) {
  options_ = {"--size", "1024"};
  const auto of_run = run("");
  expect_fault(of_run, Status::unknown, "gpu_not_tested", gpu3);
  EXPECT_EQ(text(of_run, "gpu_compute.access"), "cudaMalloc failed: out of memory");
}

TEST_F(GpuComputeFaults, AnErrorThatEndsTheTest) {
  const auto of_run = run("gpu_uncorrectable");
  expect_fault(of_run, Status::fail, "gpu_test_broke_off", gpu3);
  EXPECT_EQ(text(of_run, "gpu_compute.outcome"), "work on the GPU failed: uncorrectable ECC error encountered");
}

TEST_F(GpuComputeFaults, AGpuThatIsLostCostsItsOwnResultsAlone) {
  const auto of_run = run("gpu_lost");
  expect_fault(of_run, Status::fail, "gpu_test_broke_off", gpu3);
  EXPECT_EQ(text(of_run, "gpu_compute.outcome", {{"gpu", "4"}}), "completed");
  EXPECT_NE(text(of_run, "gpu_compute.hash", {{"gpu", "4"}, {"computation", "sums"}}), "");
}

TEST_F(GpuComputeFaults, AGpuThatHangsCostsItsOwnResultsAlone) {
  const auto of_run = run("gpu_hangs");
  expect_fault(of_run, Status::fail, "gpu_test_broke_off", gpu3);
  EXPECT_EQ(text(of_run, "gpu_compute.outcome"), "no answer within 20 s");
  EXPECT_EQ(text(of_run, "gpu_compute.outcome", {{"gpu", "4"}}), "completed");
  EXPECT_NE(text(of_run, "gpu_compute.hash", {{"gpu", "4"}, {"computation", "sums"}}), "");
}

TEST_F(GpuComputeFaults, ACallThatFailsOnAGpuThatGoesOnAccusesNobody) {
  const auto of_run = run("gpu_refuses");
  expect_fault(of_run, Status::unknown, "check_error", {});
  EXPECT_EQ(of_run.reason, "cudaMemsetAsync failed: invalid argument");
}

}  // namespace
}  // namespace muster::tests
