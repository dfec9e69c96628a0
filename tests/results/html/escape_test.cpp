// SPDX-License-Identifier: Apache-2.0
#include "results/html/escape.hpp"

#include <gtest/gtest.h>

#include <string>

namespace muster::results::html {
namespace {

TEST(EscapedHtml, KeepsWhatIsPlain) { EXPECT_EQ(escaped("gpu 3: 1.25 µs"), "gpu 3: 1.25 µs"); }

TEST(EscapedHtml, LeavesNothingThatIsMarkup) {
  EXPECT_EQ(escaped("<script>\"'&</script>"), "&lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;");
}

TEST(EscapedHtml, TakesOutWhatNoDocumentMayHold) {
  EXPECT_EQ(escaped(std::string_view("a\0b\x1b\x7f\xc2\x85", 7)), "a b   ");
  EXPECT_EQ(escaped("\xff\xc0\x80"), "???");
  EXPECT_EQ(escaped("\xEF\xBF\xBE|\xEF\xB7\x90|\xF0\x9F\xBF\xBE"), "?|?|?");
}

TEST(EscapedHtml, ShowsWhatNobodySees) { EXPECT_EQ(escaped("\xE2\x80\xA8\xE2\x80\x8B"), "??"); }

TEST(EscapedHtml, TurnsNoText) {
  // NOLINTNEXTLINE(misc-misleading-bidirectional): that is what must not be shown
  EXPECT_EQ(escaped("\xE2\x80\xAE"
                    "1-upg"
                    "\xE2\x81\xA6"),
            "?1-upg?");
}

TEST(EscapedHtml, CutsBeforeItEscapes) {
  EXPECT_EQ(escaped(std::string(65536, '<'), 5), "&lt;&lt;...");
  EXPECT_EQ(plain("<b>", 10), "<b>");
}

// By openssl dgst -sha256 -binary | base64 of "alert(1)".
TEST(PolicyHash, IsWhatBrowsersCompute) {
  EXPECT_EQ(policy_hash("alert(1)"), "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
}

TEST(Identifier, IsOfLettersAndDigits) {
  EXPECT_EQ(identifier("curve", 2, "host_allreduce"), "curve-2-host-allreduce");
  EXPECT_EQ(identifier("curve", 1, "<script>\" onload="), "curve-1-script-onload");
  EXPECT_EQ(identifier("curve", 1, ""), "curve-1");
}

}  // namespace
}  // namespace muster::results::html
