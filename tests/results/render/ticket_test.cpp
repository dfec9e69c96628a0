// SPDX-License-Identifier: Apache-2.0
#include "results/render/ticket.hpp"

#include <gtest/gtest.h>

#include "results/render/formats.hpp"

namespace muster::results {
namespace {

Report report_of_lost_rows() {
  Report report;
  report.status = Status::fail;
  report.summary = "1 of 2 expectations is not met";
  report.hosts = {
      {.name = "gpu-1",
       .fingerprint = {{"physical_host_name", "PHYS01"}, {"virtual_machine_id", "vm-id"}, {"boot_id", "b"}}}};
  report.environment = {{"NCCL_DEBUG", "whisper"}};
  CheckRun run;
  run.check = "gpu_state";
  run.host = "gpu-1";
  run.status = Status::fail;
  run.outcome = Outcome::finished;
  const Labels gpu{{"gpu", "3"}, {"pci", "0003:00:00.0"}};
  run.measurements = {{.metric = "gpu_state.serial", .value = "1652", .labels = gpu},
                      {.metric = "gpu_state.serial", .value = "9999", .labels = {{"gpu", "4"}}}};
  Verdict verdict;
  verdict.status = Status::fail;
  verdict.metric = "gpu_state.row_remap_failed";
  verdict.labels = gpu;
  verdict.reason = "1 instead of 0";
  verdict.fault = "gpu_row_remap_failed";
  verdict.azure_code = "NHC2007";
  verdict.azure_category = "HpcRowRemapFailure";
  run.verdicts = {verdict};
  report.checks = {run};
  return report;
}

const Catalogue catalogue_of_one{.meaning = [](std::string_view) { return ""; },
                                 .fault =
                                     [](std::string_view) {
                                       return FaultWords{
                                           .meaning = "A row could not be remapped.",
                                           .evidence = "XID 64",
                                           .commands = {"nvidia-smi -q -i {pci}", "nvme list /dev/{drive}"}};
                                     }};

View view_of_one() {
  View view;
  view.catalogue = &catalogue_of_one;
  return view;
}

TEST(Ticket, HasWhatACloudWants) {
  const auto text = format_of("ticket").render(report_of_lost_rows(), view_of_one());
  for (const auto* words :
       {"muster ticket: gpu-1 FAIL\n  1 of 2", "Resource.Hpc.Unhealthy.HpcRowRemapFailure (NHC2007)", "PHYS01", "vm-id",
        "gpu_row_remap_failed: gpu_state.row_remap_failed of gpu 3", "1 instead of 0", "A row could not be remapped.",
        "XID 64", "gpu 3, pci 0003:00:00.0", "serial 1652", "\n  nvidia-smi -q -i 0003:00:00.0\n",
        "\n  muster node --tier quick --only gpu_state --all\n"})
    EXPECT_NE(text.find(words), text.npos) << words << "\n" << text;
}

TEST(Ticket, HasNothingOfOthers) {
  const auto text = format_of("ticket").render(report_of_lost_rows(), view_of_one());
  for (const auto* words : {"whisper", "9999", "nvme list"}) EXPECT_EQ(text.find(words), text.npos) << words;
}

TEST(Ticket, OfAHealthyNodeSaysSo) {
  Report report;
  report.status = Status::pass;
  report.hosts = {{.name = "gpu-1"}};
  report.summary = "all passed";
  const auto text = format_of("ticket").render(report, view_of_one());
  EXPECT_TRUE(text.starts_with("muster ticket: gpu-1 PASS\n  all passed\n")) << text;
  EXPECT_EQ(text.find("FINDINGS"), text.npos);
}

TEST(Ticket, NoShellRunsALabel) {
  EXPECT_EQ(filled_command("lspci -s {pci}", {{"pci", "0001:00:00.0"}}), "lspci -s 0001:00:00.0");
  for (const std::string hostile : {"; reboot", "$(reboot)", "`reboot`", "-f", "a b", "a\nb", "", "a/../b"})
    EXPECT_EQ(filled_command("lspci -s {pci}", {{"pci", hostile}}), "") << hostile;
  EXPECT_EQ(filled_command("nvme list /dev/{drive}", {}), "");
  EXPECT_EQ(filled_command("lscpu -e", {}), "lscpu -e");
}

TEST(Ticket, RedactedHasNoNameAndNoSerialNumber) {
  auto view = view_of_one();
  view.redact = true;
  const auto text = rendered("ticket", report_of_lost_rows(), view);
  for (const auto* words : {"gpu-1", "PHYS01", "vm-id", "1652"})
    EXPECT_EQ(text.find(words), text.npos) << words << text;
  for (const auto* words : {"host-1", "serial-1", "gpu_row_remap_failed"})
    EXPECT_NE(text.find(words), text.npos) << words << text;
}

}  // namespace
}  // namespace muster::results
