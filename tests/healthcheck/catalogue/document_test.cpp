// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "healthcheck/catalogue/document_json.hpp"
#include "healthcheck/program/error.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

// What is said of a document of three lines whose reader throws this.
std::string refusal_by_reader(const std::string& problem) {
  const tests::TemporaryFolder folder;
  folder.write("d.json", "{\n\"a\": [1,\n2]}");
  try {
    Document(folder.path() / "d.json").read([&](const results::Field&) { throw results::Error(problem); });
  } catch (const UsageError& error) {
    return std::string(error.what()).substr(folder.path().string().size() + 1);
  }
  return "accepted";
}

TEST(Document, AProblemStandsAtItsFieldOrAtWhatThatIsIn) {
  EXPECT_EQ(refusal_by_reader("/a/1: is odd"), "d.json:3: /a/1: is odd");
  EXPECT_EQ(refusal_by_reader("/a/b/c: is odd"), "d.json:2: /a/b/c: is odd");
  EXPECT_EQ(refusal_by_reader("/b: is odd"), "d.json:1: /b: is odd");
  EXPECT_EQ(refusal_by_reader("/: is odd"), "d.json:1: /: is odd");
  EXPECT_EQ(refusal_by_reader("nobody knows where"), "d.json:1: nobody knows where");
}

}  // namespace
}  // namespace muster::healthcheck
