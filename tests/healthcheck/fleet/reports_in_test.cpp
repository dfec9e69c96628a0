// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "healthcheck/fleet/node_report.hpp"
#include "results/error.hpp"
#include "results/file.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck::fleet {
namespace {

namespace fs = std::filesystem;

TEST(ReportsIn, AFolderThatIsLockedIsNamedAndPassedOver) {
  const tests::TemporaryFolder folder;
  folder.write("reports/a.json", results::read_text(tests::source_folder() / "results/examples/pass.json"));
  folder.write("reports/lost+found/b.json", "");
  const auto locked = folder.path() / "reports/lost+found";
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(locked, fs::perms::none);
  const bool is_root = geteuid() == 0;
  ASSERT_TRUE(!is_root || seteuid(65534) == 0);
  const auto found = reports_in(folder.path() / "reports");
  ASSERT_TRUE(!is_root || seteuid(0) == 0);
  fs::permissions(locked, fs::perms::owner_all);
  EXPECT_EQ(found.reports.size(), 1U);
  ASSERT_EQ(found.unreadable.size(), 1U);
  EXPECT_EQ(found.unreadable[0].path, locked.string());
  EXPECT_EQ(found.unreadable[0].reason, "Permission denied");
}

TEST(ReportsIn, AFolderThatIsNotThereIsAnError) { EXPECT_THROW(reports_in("/nowhere/at/all"), results::Error); }

TEST(ReportsIn, ALinkToNothingIsPassedOver) {
  const tests::TemporaryFolder folder;
  fs::create_symlink("nowhere", folder.path() / "a.json");
  EXPECT_TRUE(reports_in(folder.path()).unreadable.empty());
}

}  // namespace
}  // namespace muster::healthcheck::fleet
