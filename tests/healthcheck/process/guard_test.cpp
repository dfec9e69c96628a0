// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/guard.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/healthcheck/process/script.hpp"

namespace muster::healthcheck {
namespace {

using namespace std::chrono_literals;
using Kind = ProcessExit::Kind;
using Clock = std::chrono::steady_clock;
using tests::TemporaryFolder;

constexpr std::string_view two_generations =
    "echo $$ >> pids; setsid sh -c 'trap \"\" TERM; echo $$ >> pids; while :; do sleep 1; done' &\n";

ProcessExit run(const std::vector<std::string>& command, std::chrono::milliseconds limit = 20s) {
  return Guard(command, Clock::now() + limit).ending();
}

bool readable(const Guard& guard, std::chrono::milliseconds within) {
  pollfd wanted{.fd = guard.descriptor(), .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, static_cast<int>(within.count())) == 1;
}

TEST(Guard, TellsTheExitCode) {
  const TemporaryFolder folder;
  EXPECT_EQ(run(script(folder, "exit 3")), (ProcessExit{.kind = Kind::exited, .code = 3, .words = ""}));
}

TEST(Guard, TellsTheSignalAndPassesSignalsUnblocked) {
  const TemporaryFolder folder;
  EXPECT_EQ(run(script(folder, "kill -SEGV $$")), (ProcessExit{.kind = Kind::signalled, .code = SIGSEGV, .words = ""}));
  EXPECT_EQ(run(script(folder, "kill -TERM $$; exit 0")),
            (ProcessExit{.kind = Kind::signalled, .code = SIGTERM, .words = ""}));
}

TEST(Guard, KeepsTheLastLineAndGivesNoInput) {
  const TemporaryFolder folder;
  EXPECT_EQ(run(script(folder, "echo first; cat; echo out")).last_line, "out");
  EXPECT_EQ(run(script(folder, "echo first; cat; echo err >&2")).last_line, "err");
}

TEST(Guard, NamesTheCommandAndTheSystemsReasonWhenItDoesNotStart) {
  const TemporaryFolder folder;
  const std::vector<std::string> command{(folder.path() / "absent").string()};
  EXPECT_EQ(run(command),
            (ProcessExit{.kind = Kind::not_started, .code = 0, .words = command[0] + ": No such file or directory"}));
  folder.write("absent", "neither ELF nor script");
  EXPECT_EQ(run(command),
            (ProcessExit{.kind = Kind::not_started, .code = 0, .words = command[0] + ": Permission denied"}));
  std::filesystem::permissions(command[0], std::filesystem::perms::owner_all);
  EXPECT_EQ(run(command),
            (ProcessExit{.kind = Kind::not_started, .code = 0, .words = command[0] + ": Exec format error"}));
}

TEST(Guard, NamesTheLoadersReasonWhenALibraryIsMissing) {
  const TemporaryFolder folder;
  const ProcessExit ending = run(script(
      folder,
      "echo \"$0: error while loading shared libraries: libgone.so.1: cannot open shared object file\" >&2; exit 127"));
  EXPECT_EQ(ending.kind, Kind::not_started);
  EXPECT_EQ(ending.words, "error while loading shared libraries: libgone.so.1: cannot open shared object file");
}

TEST(Guard, DoesNotTakeAnOrdinaryExitCodeForTheLoaders) {
  const TemporaryFolder folder;
  EXPECT_EQ(run(script(folder, "echo sorry; exit 127")),
            (ProcessExit{.kind = Kind::exited, .code = 127, .words = "", .last_line = "sorry", .said = "sorry\n"}));
}

TEST(Guard, KeepsTheBeginningAndTheEndOfLongWords) {
  const TemporaryFolder folder;
  const auto said = run(script(folder, "echo first; head -c 200000 /dev/zero | tr '\\0' x; echo; echo last")).said;
  EXPECT_TRUE(said.starts_with("first\nxxx"));
  EXPECT_TRUE(said.ends_with("xxx\nlast\n"));
  EXPECT_NE(said.find("\n...\n"), std::string::npos);
  EXPECT_LT(said.size(), 40000U);
}

TEST(Guard, EndsAtTheDeadlineAndNamesTheKernelFunction) {
  const TemporaryFolder folder;
  const auto start = Clock::now();
  const ProcessExit ending = run(script(folder, "exec sleep 1000"), 300ms);
  EXPECT_LT(Clock::now() - start, 1s);
  EXPECT_EQ(ending.kind, Kind::timed_out);
  EXPECT_EQ(ending.code, SIGTERM);
  EXPECT_NE(ending.words.find("nanosleep"), std::string::npos) << ending.words;
}

TEST(Guard, IsNotHeldUpByEndlessWords) {
  const TemporaryFolder folder;
  const auto start = Clock::now();
  const ProcessExit ending = run(script(folder, "exec yes endless"), 300ms);
  EXPECT_LT(Clock::now() - start, 1s);
  EXPECT_EQ(ending.kind, Kind::timed_out);
  EXPECT_EQ(ending.last_line, "endless");
}

TEST(Guard, KillsWhatIgnoresTermination) {
  const TemporaryFolder folder;
  const auto start = Clock::now();
  const ProcessExit ending = run(script(folder, "trap '' TERM; while :; do sleep 0.1; done"), 800ms);
  EXPECT_GE(Clock::now() - start, 1800ms);
  EXPECT_LT(Clock::now() - start, 2800ms);
  EXPECT_EQ(ending.kind, Kind::timed_out);
  EXPECT_EQ(ending.code, SIGKILL);
}

TEST(Guard, LeavesNoDescendantAfterTheDeadline) {
  const TemporaryFolder folder;
  EXPECT_EQ(run(script(folder, std::string(two_generations) + "wait"), 500ms).kind, Kind::timed_out);
  const auto all = tests::pids(folder.path() / "pids", 2);
  ASSERT_EQ(all.size(), 2U);
  for (const pid_t pid : all) EXPECT_FALSE(tests::alive(pid));
}

TEST(Guard, LeavesNoDescendantAfterANormalEnd) {
  const TemporaryFolder folder;
  const auto start = Clock::now();
  EXPECT_EQ(run(script(folder, std::string(two_generations) + "while [ $(wc -l < pids) -lt 2 ]; do sleep 0.01; done")),
            (ProcessExit{.kind = Kind::exited, .code = 0, .words = ""}));
  EXPECT_LT(Clock::now() - start, 2s);
  for (const pid_t pid : tests::pids(folder.path() / "pids", 2)) EXPECT_FALSE(tests::alive(pid));
}

TEST(Guard, StopsWhatSaysThatItIsHopeless) {
  const TemporaryFolder folder;
  const IsHopeless is_hopeless = [](std::string_view said) { return said.find("hopeless") != said.npos; };
  const auto start = Clock::now();
  Guard stopped(script(folder, "echo so far so good; sleep 0.2; echo hopeless; exec sleep 1000"), start + 20s,
                is_hopeless);
  EXPECT_EQ(stopped.ending().kind, Kind::hopeless);
  EXPECT_GE(Clock::now() - start, 1200ms);
  EXPECT_LT(Clock::now() - start, 5s);
  Guard ended(script(folder, "echo hopeless; sleep 0.2; exit 4"), Clock::now() + 20s, is_hopeless);
  EXPECT_EQ(ended.ending().kind, Kind::exited);
}

TEST(Guard, StopsWhenToldTo) {
  const TemporaryFolder folder;
  Guard guard(script(folder, std::string(two_generations) + "wait"), Clock::now() + 20s);
  const auto all = tests::pids(folder.path() / "pids", 2);
  EXPECT_FALSE(readable(guard, 50ms));
  guard.stop();
  EXPECT_EQ(guard.ending().kind, Kind::interrupted);
  for (const pid_t pid : all) EXPECT_FALSE(tests::alive(pid));
}

TEST(Guard, KillsWhatIgnoresThatItWasToldToStop) {
  const TemporaryFolder folder;
  Guard guard(script(folder, "trap '' TERM; echo $$ >> pids; while :; do sleep 0.1; done"), Clock::now() + 20s);
  const auto all = tests::pids(folder.path() / "pids", 1);
  ASSERT_EQ(all.size(), 1U);
  const auto start = Clock::now();
  guard.stop();
  const ProcessExit ending = guard.ending();
  EXPECT_GE(Clock::now() - start, 1s);
  EXPECT_LT(Clock::now() - start, 2s);
  EXPECT_EQ(ending.kind, Kind::interrupted);
  EXPECT_EQ(ending.code, SIGKILL);
  EXPECT_FALSE(tests::alive(all[0]));
}

TEST(Guard, IsLostWhenItIsKilledAndTakesItsCommandAlong) {
  const TemporaryFolder folder;
  Guard guard(script(folder, "echo $$ >> pids; exec sleep 1000"), Clock::now() + 20s);
  const auto all = tests::pids(folder.path() / "pids", 1);
  guard.kill();
  EXPECT_EQ(guard.ending(), ProcessExit{});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(tests::ends_within(all[0], 1s));
}

TEST(Guard, EndsItsCommandWhenItIsDestroyed) {
  const TemporaryFolder folder;
  std::vector<pid_t> all;
  {
    const Guard guard(script(folder, std::string(two_generations) + "wait"), Clock::now() + 20s);
    all = tests::pids(folder.path() / "pids", 2);
  }
  ASSERT_EQ(all.size(), 2U);
  for (const pid_t pid : all) EXPECT_FALSE(tests::alive(pid));
}

TEST(Guard, KillsEverythingWhenItsProgramIsKilled) {
  const TemporaryFolder folder;
  const auto command = script(folder, std::string(two_generations) + "wait");
  const pid_t program = fork();
  if (program == 0) {
    const Guard guard(command, Clock::now() + 20s);
    while (true) pause();
  }
  const auto all = tests::pids(folder.path() / "pids", 2);
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  ASSERT_EQ(all.size(), 2U);
  for (const pid_t pid : all) EXPECT_TRUE(tests::ends_within(pid, 500ms));
}

}  // namespace
}  // namespace muster::healthcheck
