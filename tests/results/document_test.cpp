// SPDX-License-Identifier: Apache-2.0
#include "results/document.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/files.hpp"

namespace muster::results {
namespace {

TEST(DocumentIn, TellsWhatMusterWroteFromWhatIsOfOthers) {
  const std::string tool = R"({"schema": 1, "tool": {"name": "muster", "version": "9"}, )";
  const tests::TemporaryFolder folder;
  const auto kind = [&](const std::string& text) {
    folder.write("file", text);
    return document_in(folder.path() / "file");
  };
  EXPECT_EQ(kind(tool + R"("checks": []})"), Document::report);
  EXPECT_EQ(kind(tool + R"("problems": [], "report": {}})"), Document::summary);
  EXPECT_EQ(kind(tool + R"("nodes": []})"), Document::fleet_report);
  EXPECT_EQ(kind(tool + R"("mount_at": "/mnt"})"), Document::scratch_status);
  for (const std::string& text : {tool + R"("checks": [)", tool + R"("other": 1})", std::string("[1]"), std::string(),
                                  std::string(R"({"schema": 1, "tool": {"name": "fio"}, "checks": []})")})
    EXPECT_EQ(kind(text), Document::other) << text;
  EXPECT_EQ(document_in(folder.path() / "absent"), Document::other);
}

}  // namespace
}  // namespace muster::results
