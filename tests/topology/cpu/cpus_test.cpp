// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cpus.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

class CpusTree : public testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) { folder_.write("sys/devices/system/cpu/" + name, text); }
  std::optional<Cpus> read() const { return cpus(Sysfs(folder_.path())); }

  tests::TemporaryFolder folder_;
};

TEST_F(CpusTree, OfflineIsPresentMinusOnline) {
  write("present", "0-7\n");
  write("online", "0-2,4-7\n");
  const auto found = read();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->offline(), std::vector<int>{3});
  EXPECT_EQ(found->missing(), 1U);
}

TEST_F(CpusTree, SiblingsSwitchedOffOnPurposeAreNotMissing) {
  write("present", "0-7\n");
  write("online", "0-3\n");
  write("smt/control", "off\n");
  EXPECT_EQ(read()->missing(), 0U);
  write("online", "0-2\n");
  EXPECT_EQ(read()->missing(), 1U);
}

TEST_F(CpusTree, MoreOnlineThanHalfWithSmtOffIsNotMissing) {
  write("present", "0-7\n");
  write("online", "0-5\n");
  write("smt/control", "forceoff\n");
  EXPECT_EQ(read()->missing(), 0U);
}

TEST_F(CpusTree, WithoutPresentNoneIsOffline) {
  write("online", "0-1\n");
  EXPECT_EQ(read()->missing(), 0U);
}

TEST_F(CpusTree, UnknownWithoutOnline) {
  folder_.write("proc/version", "");
  EXPECT_FALSE(read());
}

TEST_F(CpusTree, GarbageIsAnErrorWithItsPath) {
  write("online", "all\n");
  try {
    read();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), "sys/devices/system/cpu/online");
  }
}

TEST(CpuModel, IsTheFirstProcessors) {
  EXPECT_EQ(cpu_model("processor\t: 0\nmodel\t\t: 143\nmodel name\t: Xeon 8480C\n\nmodel name\t: other\n"),
            "Xeon 8480C");
  EXPECT_EQ(cpu_model("processor\t: 0\n"), std::nullopt);
  EXPECT_EQ(cpu_model("model name\t:\n"), std::nullopt);
}

}  // namespace
}  // namespace muster::topology
