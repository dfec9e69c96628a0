// SPDX-License-Identifier: Apache-2.0
#include "results/json/document.hpp"

#include <gtest/gtest.h>

#include <string>

#include "results/system/error.hpp"
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
  EXPECT_EQ(kind(tool + R"("changes": []})"), Document::comparison);
  EXPECT_EQ(kind(R"({"name": "mine", "expectations": []})"), Document::profile);
  EXPECT_EQ(kind(tool + R"("checks": [)"), Document::cut);
  EXPECT_EQ(kind("{\n  \"schema\": 1,\n  \"tool\": {\n    \"name\": \"muster\",\n    \"ver"), Document::cut);
  for (const std::string& text :
       {std::string(R"({"schema": 1, "tool": {"name": "fio", )"), tool + R"("other": 1})", std::string("[1]"),
        std::string(), std::string(R"({"schema": 1, "tool": {"name": "fio"}, "checks": []})"),
        std::string(R"({"schema": 1, "old": {"name": 1}, "tool": ["muster"], "checks": []})"),
        std::string(R"({"schema": 1, "tool": {"name": ["muster"]}, "checks": []})"), "[" + tool + R"("checks": []}])",
        R"({"of": )" + tool + R"("checks": []}})"})
    EXPECT_EQ(kind(text), Document::other) << text;
  EXPECT_EQ(document_in(folder.path() / "absent"), Document::other);
}

TEST(ExpectDocument, SaysWhatAnotherDocumentOfMusterIs) {
  const std::string fleet = R"({"schema": 1, "tool": {"name": "muster", "version": "9"}, "nodes": []})";
  EXPECT_NO_THROW(expect_document(fleet, Document::fleet_report, "a.json"));
  EXPECT_NO_THROW(expect_document("{}", Document::report, "a.json")) << "others know what is wrong with it";
  try {
    expect_document(fleet, Document::report, "a.json");
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a.json: this is the report of a fleet, which muster fleet summary shows");
  }
}

}  // namespace
}  // namespace muster::results
