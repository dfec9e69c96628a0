// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/raw_drive.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchmarks/disk/workload.hpp"
#include "benchmarks/error.hpp"
#include "results/system/descriptor.hpp"
#include "tests/support/disk.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::benchmarks::disk {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// This machine's own disk.
class OwnDrive : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = folder_.why_no_disk(); !why.empty()) GTEST_SKIP() << why;
    number_ = folder_.device();
    device_ = "/dev/" + topology::Sysfs().link_name("sys/dev/block/" + number_).value_or("");
    const results::Descriptor readable(open(device_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!readable) GTEST_SKIP() << device_ << " may not be read here";
  }

  const std::string& device() const { return device_; }
  const std::string& number() const { return number_; }

 private:
  tests::DiskFolder folder_;
  std::string number_;
  std::string device_;
};

TEST(RawDrive, IsThere) {
  EXPECT_THAT([] { RawDrive("/dev/no such drive", "259:0"); }, ThrowsMessage<Error>(HasSubstr("No such file")));
}

TEST_F(OwnDrive, IsTheOneThatCounts) {
  EXPECT_THAT([&] { RawDrive(device(), "259:999"); },
              ThrowsMessage<Error>(HasSubstr("is not the block device 259:999")));
}

TEST_F(OwnDrive, IsReadAndNeverWritten) {
  const RawDrive drive(device(), number());
  EXPECT_EQ(fcntl(drive.number(), F_GETFL) & (O_ACCMODE | O_DIRECT), O_RDONLY | O_DIRECT);
  const auto engine = usable_engine(std::size_t{1} << 20);
  const Budget short_time{.end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100)};
  EXPECT_GT(read(drive, engine, {.pattern = Access::random, .block_bytes = 4096}, {}, short_time).operations, 0);
  EXPECT_THROW(read(drive, engine, {.direction = Direction::write}, {}, short_time), std::logic_error);
}

}  // namespace
}  // namespace muster::benchmarks::disk
