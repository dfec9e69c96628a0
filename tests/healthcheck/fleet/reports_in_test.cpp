// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>

#include "healthcheck/fleet/node_report.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
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

TEST(ReportsIn, WhatHasTheNameOfAReportAndIsNoneIsNamed) {
  const tests::TemporaryFolder folder;
  fs::create_symlink("nowhere", folder.path() / "a.json");
  fs::create_directory(folder.path() / "b.json");
  ASSERT_EQ(mkfifo((folder.path() / "c.json").c_str(), 0600), 0);
  folder.write("d.JSON", results::read_text(tests::source_folder() / "results/examples/pass.json"));
  folder.write("e.json.txt", "{}");
  folder.write("f.json/f.json", results::read_text(tests::source_folder() / "results/examples/pass.json"));
  const auto found = reports_in(folder.path());
  EXPECT_EQ(found.reports.size(), 1U);
  std::map<std::string, std::string> reasons;
  for (const auto& each : found.unreadable) reasons.emplace(fs::path(each.path).filename(), each.reason);
  EXPECT_EQ(reasons, (std::map<std::string, std::string>{
                         {"a.json", "it is a link that leads to nothing"},
                         {"b.json", "it is a folder without a report, not a file"},
                         {"c.json", "it is a FIFO, not a file"},
                         {"d.JSON", "it is passed over: the name of a report ends with .json"}}));
}

}  // namespace
}  // namespace muster::healthcheck::fleet
