// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/worker.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "healthcheck/launch/keys.hpp"
#include "healthcheck/program/error.hpp"
#include "results/system/file.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

namespace fs = std::filesystem;

TEST(SshdConfiguration, LetsKeysInAndPassesThePathsOfLibraries) {
  const std::vector<const char*> environment{"PATH=/opt/x:/usr/bin", "LD_LIBRARY_PATH=/opt/y", "SECRET=1", nullptr};
  const auto text = sshd_configuration(2222, "/private", environment.data());
  for (const auto* line :
       {"Port 2222\n", "HostKey /private/host_key\n", "AuthorizedKeysFile /private/authorized_keys\n",
        "AuthenticationMethods publickey\n", "SetEnv SHLVL=1 \"PATH=/opt/x:/usr/bin\" \"LD_LIBRARY_PATH=/opt/y\"\n"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
  EXPECT_EQ(text.find("SECRET"), std::string::npos);
}

TEST(Keys, AreCopiedForTheirOwnerAlone) {
  const tests::TemporaryFolder keys;
  const tests::TemporaryFolder folder;
  const std::string key = "-----BEGIN OPENSSH PRIVATE KEY-----\n";  // as far as it is looked at
  const std::string authorized = "# of the job\nrestrict,pty ssh-ed25519 AAAAC3Nz of the job\n";
  keys.write("id_rsa", key);
  keys.write("authorized_keys", authorized);
  fs::permissions(keys.path() / "id_rsa", fs::perms::all);
  const auto copy = private_copy_of_key(keys.path(), folder.path());
  EXPECT_EQ(results::read_text(copy), key);
  EXPECT_EQ(fs::status(copy).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(results::read_text(private_copy_of_authorized(keys.path(), folder.path())), authorized);
}

TEST(Keys, ThatAreMissingAreABadOption) {
  const tests::TemporaryFolder empty;
  EXPECT_THROW(private_copy_of_key(empty.path(), empty.path()), UsageError);
  EXPECT_THROW(private_copy_of_authorized(empty.path(), empty.path()), UsageError);
}

TEST(Keys, ThatAreNoneAreABadOption) {
  const tests::TemporaryFolder keys;
  for (const auto* text : {"", "garbage\n", "ssh-ed25519\n"}) {
    keys.write("id_ed25519", text);
    keys.write("authorized_keys", text);
    EXPECT_THROW(private_copy_of_key(keys.path(), keys.path()), UsageError) << text;
    EXPECT_THROW(private_copy_of_authorized(keys.path(), keys.path()), UsageError) << text;
  }
}

}  // namespace
}  // namespace muster::healthcheck
