// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "healthcheck/parts/log/catalogue.hpp"
#include "healthcheck/program/error.hpp"
#include "tests/healthcheck/checks/log/kernel_log_machine.hpp"

namespace muster::tests {
namespace {

using results::Status;

using KernelLogFileFaults = KernelLogMachine;
using KernelLogFile = KernelLogMachine;

TEST_F(KernelLogFileFaults, AFileOfDmesgOrOfASystemLogIsReadAsWell) {
  const std::string text = "NVRM: Xid (PCI:0001:00:00): 79, GPU has fallen off the bus.";
  for (const auto* front : {"[   12.345678] ", "<4>[   12.345678] ", "Nov 25 10:00:00 gpu-0017 kernel: [   12.345678] ",
                            "2026-11-25T10:00:00+00:00 gpu-0017 kernel: ", ""}) {
    const auto file = tree_.path() / "copy.log";
    tree_.write("copy.log", front + text + "\n");
    expect_fault(run({"--file", file.string()}), Status::fail, "gpu_lost", {{"gpu", "0"}, {"xid", "79"}});
  }
}

// The clock of this machine, which is up for a day, has no part in it.
TEST_F(KernelLogFileFaults, SinceCountsFromTheEndOfAFile) {
  const std::string lost = "NVRM: Xid (PCI:0001:00:00): 79, GPU has fallen off the bus.\n";
  tree_.write("copy.log", "[18000.0] " + lost + "[18100.0] nvidia-modeset: Unloading\n");
  const auto file = (tree_.path() / "copy.log").string();
  expect_fault(run({"--file", file, "--since", "3600"}), Status::fail, "gpu_lost", {{"gpu", "0"}});
  expect_healthy(run({"--file", file, "--since", "99"}));
  tree_.write("copy.log",
              "Jun 10 10:00:00 h kernel: " + lost + "Jun 12 10:00:00 h kernel: nvidia-modeset: Unloading\n");
  expect_fault(run({"--file", file, "--since", "172801"}), Status::fail, "gpu_lost", {{"gpu", "0"}});
  expect_healthy(run({"--file", file, "--since", "86400"}));
}

// A fault one day before the end of the log, in forms that tell dates.
TEST_F(KernelLogFileFaults, SinceCountsByWhateverTellsATime) {
  const std::string lost = "NVRM: Xid (PCI:0001:00:00): 79, GPU has fallen off the bus.";
  const std::string healthy = "nvidia-modeset: Unloading";
  const auto of_journal = [](const std::string& micro, const std::string& text) {
    return R"({"_TRANSPORT":"kernel","__REALTIME_TIMESTAMP":")" + micro + R"(","MESSAGE":")" + text + "\"}\n";
  };
  const std::string logs[] = {
      "[Tue Jun 10 10:00:00 2025] " + lost + "\n[Wed Jun 11 10:00:00 2025] " + healthy + "\n",
      "2025-06-10T10:00:00,000000+00:00 " + lost + "\n2025-06-11T12:00:00,000000+02:00 " + healthy + "\n",
      "6,1,5000000,-;" + lost + "\n6,2,86405000000,-;" + healthy + "\n",
      of_journal("1749549600000000", lost) + of_journal("1749636000000000", healthy),
      "2025-06-10T10:00:00.5Z stdout F " + lost + "\n2025-06-11T10:00:00.5Z stdout F " + healthy + "\n"};
  for (const auto& log : logs) {
    tree_.write("copy.log", log);
    const auto file = (tree_.path() / "copy.log").string();
    expect_fault(run({"--file", file, "--since", "86401"}), Status::fail, "gpu_lost", {{"gpu", "0"}});
    expect_healthy(run({"--file", file, "--since", "86399"}));
  }
}

TEST_F(KernelLogFileFaults, MessagesOfOnesOwnComeBeforeOurs) {
  tree_.write("own.json", R"([ { "prefix": "^my_nic (?P<pci>[0-9a-f:.]+): ", "messages": [
      { "pattern": "port down", "meaning": "a link is down", "fault": "ib_port_down" },
      { "pattern": "sensor .* failed", "meaning": "a sensor that nobody needs" } ] } ])");
  const std::vector<std::string> own = {"--messages", (tree_.path() / "own.json").string()};
  add("my_nic 0104:00:00.0: sensor 3 failed");
  expect_fault(run(), Status::warn, "kernel_message_unknown", {{"wording", "my_nic #:#:#.#: sensor # failed"}});
  expect_healthy(run(own));
  add("my_nic 0104:00:00.0: port down");
  expect_fault(run(own), Status::fail, "ib_port_down", {{"pci", "0104:00:00.0"}, {"nic", "mlx5_ib3"}});
}

TEST_F(KernelLogFile, MessagesOfOnesOwnThatCannotBeUsedAreRefused) {
  for (const auto& [pattern, fault, problem] : {std::tuple("^a(", "", "not a regular expression"),
                                                {"a", "", "does not begin with ^"},
                                                {"^a", "ib_port_dwn", "Did you mean 'ib_port_down'?"}}) {
    const std::string code = *fault == '\0' ? "" : std::string(R"(, "fault": ")") + fault + "\"";
    tree_.write("own.json", std::string(R"([ { "prefix": "", "messages": [ { "pattern": ")") + pattern +
                                R"(", "meaning": "a")" + code + " } ] } ]");
    try {
      run({"--messages", (tree_.path() / "own.json").string()});
      ADD_FAILURE() << pattern << " was taken";
    } catch (const healthcheck::UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(problem), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace muster::tests
