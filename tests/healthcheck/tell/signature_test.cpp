// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/signature.hpp"

#include <gtest/gtest.h>

#include <string>

#include "healthcheck/program/error.hpp"
#include "results/strings/base64.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck::fleet {
namespace {

using tests::TemporaryFolder;

// RFC 4231, cases 2 and 6: a short key, and one that is longer than a block.
TEST(HmacSha256, IsThatOfRfc4231) {
  EXPECT_EQ(results::base64(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=");
  EXPECT_EQ(
      results::base64(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")),
      "YOQxWR7gtn8Niiaqy/W3f44LxiE3KMUUBUYEDw7jf1Q=");
}

// The example of github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md.
TEST(Signature, IsThatOfStandardWebhooks) {
  const TemporaryFolder folder;
  folder.write("key", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
  EXPECT_EQ(
      signature(key_in(folder.path() / "key"), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, R"({"test": 2432232314})"),
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(KeyIn, IsBytesOrTheirBase64) {
  const TemporaryFolder folder;
  folder.write("plain", " sixteen letters!\n");
  EXPECT_EQ(key_in(folder.path() / "plain"), "sixteen letters!");
  folder.write("encoded", "whsec_c2l4dGVlbiBsZXR0ZXJzIQ==");
  EXPECT_EQ(key_in(folder.path() / "encoded"), "sixteen letters!");
}

TEST(KeyIn, RefusesWhatIsNoKeyAndDoesNotShowIt) {
  const TemporaryFolder folder;
  for (const auto* text : {"", "fifteen letters", "whsec_c2hvcnQ=", "whsec_not*base64*at*all*now"}) {
    folder.write("key", text);
    try {
      key_in(folder.path() / "key");
      FAIL() << text;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("--key-file"), std::string::npos);
      EXPECT_TRUE(*text == '\0' || std::string(error.what()).find(text) == std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace muster::healthcheck::fleet
