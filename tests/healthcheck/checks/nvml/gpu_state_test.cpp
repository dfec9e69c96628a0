// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using Json = nlohmann::json;
using results::Labels;
using results::Status;

const std::string ndv5_profile = "nd96isr_h100_v5";
const Labels gpu3 = {{"gpu", "3"}, {"pci", "0008:00:00.0"}};

// As the kernel of tests/machines/ndv5 has them.
const std::array<std::string, 8> addresses = {"0001:00:00.0", "0002:00:00.0", "0003:00:00.0", "0008:00:00.0",
                                              "0009:00:00.0", "000a:00:00.0", "000b:00:00.0", "000c:00:00.0"};

Json refused(int code) { return {{"refused", code}}; }

// Eight healthy GPUs, to break in one place.
class GpuStateFaults : public testing::Test {
 protected:
  GpuStateFaults() {
    copy_machine("ndv5", tree_);
    const auto healthy = Json::parse(std::ifstream(source_folder() / "tests/support/nvml_h100.json"));
    for (const auto& address : addresses) gpus_[address] = healthy;
    setenv("MUSTER_NVML_GPUS", (tree_.path() / "nvml").c_str(), 1);
  }

  // What NVML says of GPU 3.
  Json& said(const char* function) { return gpus_["0008:00:00.0"][function]; }

  results::CheckRun run(std::string_view profile = ndv5_profile) {
    tree_.write("nvml/nvml.json", nvml_.dump());
    for (const auto& [address, gpu] : gpus_) tree_.write("nvml/" + address + ".json", gpu.dump());
    return checked(tree_.path(), profile, {.tier = results::Tier::preflight});
  }
  void expect(Status status, std::string_view fault, Labels labels = {}) {
    labels.insert(gpu3.begin(), gpu3.end());
    expect_fault(run(), status, fault, labels);
  }

  TemporaryFolder tree_;
  Json nvml_ = {{"nvmlInitWithFlags", 0}, {"nvmlSystemGetDriverVersion", "580.95.05"}};
  std::map<std::string, Json> gpus_;
};

// What is no fault, and so does not turn red with a judge that always passes.
class GpuStateOtherwise : public GpuStateFaults {};

TEST_F(GpuStateOtherwise, AHealthyNodeIsNotAccused) {
  expect_healthy(run());
  expect_healthy(run("generic"));
}

TEST_F(GpuStateFaults, AGpuThatIsLost) {
  said("nvmlDeviceGetHandleByPciBusId_v2") = refused(15);
  expect(Status::fail, "gpu_lost");
}

TEST_F(GpuStateFaults, AGpuThatIsLostWhileItIsAsked) {
  said("nvmlDeviceGetTemperature") = refused(15);
  expect(Status::fail, "gpu_lost");
}

TEST_F(GpuStateFaults, AGpuThatMustBeReset) {
  said("nvmlDeviceGetEccMode") = refused(16);
  expect(Status::fail, "gpu_lost");
}

TEST_F(GpuStateFaults, AGpuThatNvmlDoesNotHave) {
  gpus_.erase("0008:00:00.0");
  expect(Status::fail, "gpu_lost");
}

TEST_F(GpuStateFaults, WhatCannotBeReadIsUnknownInNvmlsWords) {
  said("nvmlDeviceGetPcieReplayCounter") = refused(999);
  const auto of_run = run();
  expect_fault(of_run, Status::unknown, "gpu_state_unreadable",
               {{"field", "pcie_replays"}, {"gpu", "3"}, {"pci", "0008:00:00.0"}});
  const auto found = std::ranges::find(of_run.measurements, "gpu_state.unreadable", &results::Measurement::metric);
  ASSERT_NE(found, of_run.measurements.end());
  EXPECT_EQ(results::to_text(found->value), "Unknown Error");
}

TEST_F(GpuStateOtherwise, WhatAGpuDoesNotHaveIsListedAndNotAccused) {
  for (auto& [address, gpu] : gpus_) gpu.erase("nvmlDeviceGetMigMode");
  const auto of_run = run("generic");
  expect_healthy(of_run);
  const auto found = std::ranges::find(of_run.measurements, "gpu_state.not_supported", &results::Measurement::metric);
  ASSERT_NE(found, of_run.measurements.end());
  EXPECT_EQ(results::to_text(found->value), "mig_mode");
}

TEST_F(GpuStateFaults, WhatTheProfileWantsAndNobodySaysIsNotPassed) {
  for (auto& [address, gpu] : gpus_) gpu.erase("nvmlDeviceGetEccMode");
  expect_fault(run(), Status::fail, "not_measured", {});
}

TEST_F(GpuStateFaults, ADriverThatAsksForAReset) {
  said("field 230") = 1;
  expect(Status::fail, "gpu_recovery_needed");
}

TEST_F(GpuStateFaults, ADamagedInforom) {
  said("nvmlDeviceValidateInforom") = refused(14);
  expect(Status::fail, "gpu_inforom_corrupt");
}

TEST_F(GpuStateFaults, AnotherFirmware) {
  said("nvmlDeviceGetVbiosVersion") = "96.00.74.00.01";
  expect(Status::warn, "firmware_differs");
}

TEST_F(GpuStateFaults, AnotherModel) {
  said("nvmlDeviceGetName") = "NVIDIA H100 PCIe";
  expect(Status::fail, "gpu_differs");
}

TEST_F(GpuStateFaults, EccThatIsOff) {
  said("nvmlDeviceGetEccMode") = {0, 0};
  expect(Status::fail, "gpu_ecc_off");
}

TEST_F(GpuStateFaults, EccThatWillBeOff) {
  said("nvmlDeviceGetEccMode") = {1, 0};
  expect(Status::fail, "gpu_ecc_off");
}

TEST_F(GpuStateFaults, AGpuInSlices) {
  said("nvmlDeviceGetMigMode") = {1, 1};
  expect(Status::warn, "gpu_mig_on");
}

TEST_F(GpuStateFaults, NoPersistence) {
  said("nvmlDeviceGetPersistenceMode") = 0;
  expect(Status::warn, "gpu_persistence_off");
}

// By type, since when and where, as nvmlDeviceGetMemoryErrorCounter is asked.
TEST_F(GpuStateFaults, AnErrorThatEccCouldNotCorrect) {
  said("nvmlDeviceGetMemoryErrorCounter")["1.0.2"] = 1;
  expect(Status::fail, "gpu_ecc_uncorrectable", {{"memory", "dram"}});
}

TEST_F(GpuStateOtherwise, AnOldErrorWhoseRowIsRemappedIsHistory) {
  said("nvmlDeviceGetMemoryErrorCounter")["1.1.2"] = 1;
  said("nvmlDeviceGetRemappedRows") = {0, 1, 0, 0};
  expect_healthy(run());
}

TEST_F(GpuStateFaults, TooManyCorrectedErrors) {
  said("nvmlDeviceGetMemoryErrorCounter")["0.0.7"] = 10001;
  expect(Status::fail, "gpu_ecc_correctable", {{"memory", "sram"}});
}

TEST_F(GpuStateFaults, ErrorsOfSramThatNobodyCanRemap) {
  said("nvmlDeviceGetSramEccErrorStatus") = {{"sec_ded", 5}};
  expect(Status::fail, "gpu_sram_uncorrectable");
}

TEST_F(GpuStateFaults, MoreErrorsOfSramThanFieldDiagnosticsLetPass) {
  said("nvmlDeviceGetSramEccErrorStatus") = {{"exceeded", 1}};
  expect(Status::fail, "gpu_sram_uncorrectable");
}

TEST_F(GpuStateFaults, ARowThatWaitsToBeRemapped) {
  said("nvmlDeviceGetRemappedRows") = {0, 1, 1, 0};
  expect(Status::fail, "gpu_row_remap_pending");
}

TEST_F(GpuStateFaults, ARowThatCouldNotBeRemapped) {
  said("nvmlDeviceGetRemappedRows") = {0, 9, 0, 1};
  expect(Status::fail, "gpu_row_remap_failed");
}

TEST_F(GpuStateFaults, HalfTheLanes) {
  said("nvmlDeviceGetCurrPcieLinkWidth") = 8;
  expect(Status::fail, "pcie_link_reduced");
}

TEST_F(GpuStateOtherwise, AnIdleLinkOfALowerGeneration) {
  for (auto& [address, gpu] : gpus_) gpu["nvmlDeviceGetCurrPcieLinkGeneration"] = 1;
  expect_healthy(run());
}

TEST_F(GpuStateFaults, AnNvLinkThatIsDown) {
  said("nvmlDeviceGetNvLinkState")[7] = 0;
  expect(Status::fail, "nvlink_down", {{"link", "7"}});
}

TEST_F(GpuStateFaults, AnNvLinkThatIsDownWhereNobodyKnowsHowManyThereShouldBe) {
  said("nvmlDeviceGetNvLinkState")[7] = 0;
  expect_fault(run("generic"), Status::fail, "nvlink_down", gpu3);
}

// Azure's NCads H100 v5 wires 12 of 18.
TEST_F(GpuStateOtherwise, LinksThatNoGpuHasWired) {
  for (auto& [address, gpu] : gpus_)
    for (std::size_t link = 12; link < 18; ++link) gpu["nvmlDeviceGetNvLinkState"][link] = 0;
  expect_healthy(run("generic"));
}

TEST_F(GpuStateFaults, AFabricThatIsNotReady) {
  said("nvmlDeviceGetGpuFabricInfoV")["state"] = 2;
  expect(Status::fail, "gpu_fabric_not_ready");
}

TEST_F(GpuStateFaults, AFabricThatFailed) {
  said("nvmlDeviceGetGpuFabricInfoV")["status"] = 999;
  expect(Status::fail, "gpu_fabric_not_ready");
}

TEST_F(GpuStateFaults, AFabricWithDegradedBandwidth) {
  said("nvmlDeviceGetGpuFabricInfoV")["health"] = 0x1A9;
  expect(Status::fail, "gpu_fabric_not_ready");
}

TEST_F(GpuStateFaults, ClocksThatAreHeldDownForTwoReasons) {
  said("nvmlDeviceGetCurrentClocksEventReasons") = 0x44;
  expect(Status::fail, "gpu_throttled");
}

TEST_F(GpuStateFaults, LessPowerThanItIsMadeFor) {
  said("nvmlDeviceGetEnforcedPowerLimit") = 500000;
  expect(Status::warn, "gpu_power_capped");
}

TEST_F(GpuStateOtherwise, MorePowerThanItIsMadeForIsNoCap) {
  said("nvmlDeviceGetPowerManagementDefaultLimit") = 650000;
  expect_healthy(run());
}

// By link and kind.
TEST_F(GpuStateFaults, AnNvLinkThatSentAgain) {
  said("nvmlDeviceGetNvLinkErrorCounter")["7.0"] = 3;
  expect(Status::warn, "nvlink_errors", {{"link", "7"}, {"kind", "replay"}});
}

TEST_F(GpuStateFaults, WhatAnEndedJobLeftRunning) {
  said("nvmlDeviceGetComputeRunningProcesses_v3") = 2;
  expect(Status::warn, "gpu_in_use");
}

TEST_F(GpuStateFaults, NvmlThatDoesNotStart) {
  nvml_["nvmlInitWithFlags"] = refused(9);
  const auto of_run = run();
  expect_fault(of_run, Status::unknown, "check_error", {});
  EXPECT_EQ(of_run.reason, "NVML does not start: Driver Not Loaded");
}

}  // namespace
}  // namespace muster::tests
