// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/processes.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

constexpr auto sleeping = "42 (sleep) S 7 42 7 34816 42 4194304 100 0 0 0 150 50 0 0 20 0 1 0 1000 8192 100";

TEST(ProcessFrom, ReadsItsFields) {
  const auto process = process_from(sleeping, 100);
  ASSERT_TRUE(process);
  EXPECT_EQ(process->pid, 42);
  EXPECT_EQ(process->parent, 7);
  EXPECT_EQ(process->state, 'S');
  EXPECT_EQ(process->name, "sleep");
  EXPECT_EQ(process->cpu_seconds, 2);
}

TEST(ProcessFrom, NameMayHoldParenthesesAndSpaces) {
  const auto process = process_from("9 (a) b (c) R 1 9 9 0 -1 0 0 0 0 0 0 0 0 0", 100);
  ASSERT_TRUE(process);
  EXPECT_EQ(process->name, "a) b (c");
  EXPECT_EQ(process->parent, 1);
}

TEST(ProcessFrom, OtherTextIsNothing) {
  for (const auto* text : {"", "42", "42 sleep S 7", "42 (sleep", "42 )sleep( S 7",
                           "x (sleep) S 7 1 1 1 1 1 1 1 1 1 1 1 1", "42 (sleep) S 7", "42 (sleep)"})
    EXPECT_FALSE(process_from(text, 100)) << text;
}

TEST(Processes, AreReadFromTheTree) {
  const tests::TemporaryFolder tree;
  tree.write("proc/42/stat", sleeping);
  tree.write("proc/43/stat", "");
  tree.write("proc/self/stat", sleeping);
  const auto all = processes(Sysfs(tree.path()));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].pid, 42);
}

TEST(Processes, OfThisMachineHoldThisOne) {
  const auto all = processes(Sysfs());
  EXPECT_TRUE(std::ranges::any_of(
      all, [](const Process& process) { return process.pid == getpid() && process.parent == getppid(); }));
}

Process process(int pid, int parent) {
  Process made;
  made.pid = pid;
  made.parent = parent;
  return made;
}

TEST(Descendants, AreChildrenAndTheirChildrenWithoutTheirAncestor) {
  auto found =
      descendants({process(5, 4), process(1, 0), process(2, 1), process(3, 1), process(4, 2), process(9, 8)}, 1);
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<int>{2, 3, 4, 5}));
}

TEST(Descendants, EndEvenWhenPidsWereReusedInACircle) {
  EXPECT_EQ(descendants({process(1, 2), process(2, 1)}, 1), std::vector<int>{2});
  EXPECT_EQ(descendants({process(2, 1), process(3, 2), process(2, 3)}, 1), (std::vector<int>{2, 3}));
}

TEST(KernelFunction, IsTheWaitChannelOrTheTopOfTheStack) {
  const tests::TemporaryFolder tree;
  const Sysfs sysfs((tree.write("proc/1/wchan", "hrtimer_nanosleep"), tree.path()));
  tree.write("proc/2/wchan", "0");
  tree.write("proc/2/stack", "[<0>] nfs_wait_bit_killable+0x1e/0x90 [nfs]\n[<0>] out+0x1/0x2\n");
  tree.write("proc/3/wchan", "0");
  EXPECT_EQ(kernel_function(sysfs, 1), "hrtimer_nanosleep");
  EXPECT_EQ(kernel_function(sysfs, 2), "nfs_wait_bit_killable");
  EXPECT_EQ(kernel_function(sysfs, 3), std::nullopt);
  EXPECT_EQ(kernel_function(sysfs, 4), std::nullopt);
}

TEST(TopOfStack, HiddenAddressesAreNoNames) {
  EXPECT_EQ(top_of_stack("[<0>] do_wait+0x5b/0x120"), "do_wait");
  EXPECT_EQ(top_of_stack("[<0>] 0xffffffffffffffff"), std::nullopt);
  EXPECT_EQ(top_of_stack(""), std::nullopt);
}

TEST(BusyTicks, LeaveOutIdleWaitingAndGuests) {
  EXPECT_EQ(busy_ticks("cpu  1 2 4 1000 2000 8 16 32 4000 8000\ncpu0 9 9 9 9 9 9 9 9 9 9\n"), 1 + 2 + 4 + 8 + 16 + 32);
}

TEST(BusyTicks, GarbageIsAnError) {
  for (const auto* text : {"", "cpu 1 2 3", "cpu0 1 2 3 4 5 6 7 8", "cpu a b c d e f g h"})
    EXPECT_THROW(busy_ticks(text), Error) << text;
}

TEST(BusySeconds, GrowAndAreAnErrorWithoutTheirFile) {
  EXPECT_GT(busy_seconds(Sysfs()), 0);
  const tests::TemporaryFolder tree;
  tree.write("proc/version", "");
  EXPECT_THROW(busy_seconds(Sysfs(tree.path())), Error);
}

}  // namespace
}  // namespace muster::topology
