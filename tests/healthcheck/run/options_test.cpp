// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "healthcheck/program/command_line.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

// What a check makes of these words.
RunSettings read(const std::vector<std::string>& words) {
  Options options;
  CommandLine line("a test", "test");
  add_options(line, options);
  std::vector<const char*> all{"test"};
  for (const auto& word : words) all.push_back(word.c_str());
  EXPECT_EQ(line.run(static_cast<int>(all.size()), all.data(), [] { return 0; }), 0);
  return options.settings;
}

std::string help() {
  testing::internal::CaptureStdout();
  read({"--help"});
  return testing::internal::GetCapturedStdout();
}

TEST(RunSettings, ACheckReadsTheArgumentsThatAreMadeOfThem) {
  const tests::TemporaryFolder folder;
  folder.write("topo.xml", "");
  const RunSettings all{.tier = results::Tier::full,
                        .topology = folder.path() / "topo.xml",
                        .scratch = folder.path(),
                        .state = folder.path(),
                        .allow_raw_read = true,
                        .record = {"RACK", "IMAGE"}};
  EXPECT_EQ(read(to_arguments(all)), all);
  EXPECT_EQ(read(to_arguments({})), RunSettings{});
}

// One that to_arguments() forgets would be lost on the way from `muster node` and `muster launch` to a check.
TEST(RunSettings, EveryOptionOfThemIsHandedOn) {
  const auto names = setting_names();
  const auto text = help();
  const auto group = text.substr(text.find("Machine"), text.find("--report") - text.find("Machine"));
  std::size_t count = 0;
  for (auto at = group.find("--"); at != group.npos; at = group.find("--", at + 2)) {
    const auto name = group.substr(at, group.find_first_of(" ,=[\n", at) - at);
    if (name == "--profile" || name == "--root") continue;  // told by what they were found to be
    ++count;
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
  EXPECT_EQ(count, names.size());
}

}  // namespace
}  // namespace muster::healthcheck
