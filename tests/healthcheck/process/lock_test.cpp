// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/lock.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "healthcheck/program/error.hpp"
#include "healthcheck/program/private_folder.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using tests::TemporaryFolder;

TEST(Lock, HasOneHolderAndNamesIt) {
  const TemporaryFolder folder;
  const Lock first(folder.path() / "lock");
  const Lock second(folder.path() / "lock");
  EXPECT_TRUE(first.held());
  EXPECT_FALSE(second.held());
  EXPECT_EQ(second.holder(topology::Sysfs()), getpid());
}

TEST(Lock, IsFreeWhenItsHolderIsGone) {
  const TemporaryFolder folder;
  { EXPECT_TRUE(Lock(folder.path() / "lock").held()); }
  EXPECT_TRUE(Lock(folder.path() / "lock").held());
}

TEST(Lock, IsHeldByAForkedProcessUntilThatEndsToo) {
  const TemporaryFolder folder;
  pid_t child = -1;
  {
    const Lock lock(folder.path() / "lock");
    child = fork();
    if (child == 0)
      while (true) pause();
  }
  EXPECT_FALSE(Lock(folder.path() / "lock").held());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(Lock(folder.path() / "lock").held());
}

TEST(Lock, DoesNotFollowALinkNorInventAFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.path() / "elsewhere", folder.path() / "lock");
  EXPECT_THROW(Lock(folder.path() / "lock"), UsageError);
  EXPECT_THROW(Lock(folder.path() / "absent" / "lock"), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "elsewhere"));
}

TEST(PrivateFolder, IsForThisUserOnlyAndGoneAtTheEnd) {
  const TemporaryFolder scratch;
  std::filesystem::path path;
  {
    const PrivateFolder folder(scratch.path());
    path = folder.path();
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(PrivateFolder, RemovesWhatAKilledRunLeftAndNothingElse) {
  const TemporaryFolder scratch;
  scratch.write("muster-run-1-abcdef/report.json", "{}");
  scratch.write("mine/report.json", "{}");
  const PrivateFolder used(scratch.path());
  const PrivateFolder next(scratch.path());
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "muster-run-1-abcdef"));
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "mine" / "report.json"));
  EXPECT_TRUE(std::filesystem::exists(used.path()));
}

TEST(PrivateFolder, IsNotTakenForALeftOneByAnotherThatStartsThen) {
  const TemporaryFolder scratch;
  std::atomic<int> lost = 0;
  {
    std::vector<std::jthread> runs;
    for (int run = 0; run < 8; ++run)
      runs.emplace_back([&] {
        for (int time = 0; time < 100; ++time) {
          const PrivateFolder folder(scratch.path());
          if (!std::filesystem::is_directory(folder.path())) ++lost;
        }
      });
  }
  EXPECT_EQ(lost, 0);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(PrivateFolder, NamesTheFolderThatCannotBeUsed) { EXPECT_THROW(PrivateFolder("/absent"), UsageError); }

}  // namespace
}  // namespace muster::healthcheck
