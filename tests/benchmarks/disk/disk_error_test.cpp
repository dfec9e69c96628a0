// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/disk_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace muster::benchmarks::disk {
namespace {

using testing::Not;
using testing::Throws;
using testing::ThrowsMessage;

TEST(DiskError, IsWhatDrivesAndTheWayToThemCause) {
  EXPECT_THAT([] { throw_error(EIO, "a read failed"); }, ThrowsMessage<DiskError>("a read failed: Input/output error"));
  EXPECT_THAT([] { throw_error(ENODATA, "a read failed"); }, Throws<DiskError>());
}

TEST(DiskError, IsNotWhatLiesAboveThem) {
  for (const int number : {ENOSPC, EDQUOT, EACCES, EINVAL})
    EXPECT_THAT([&] { throw_error(number, "a write failed"); },
                testing::AllOf(Throws<Error>(), Not(Throws<DiskError>())));
}

TEST(DiskError, IsWhatMadeAFileSystemReadOnlyWhileAFileWasWritten) {
  EXPECT_THAT([] { throw_transfer_error(EROFS, "a write failed"); }, Throws<DiskError>());
  EXPECT_THAT([] { throw_transfer_error(EIO, "a write failed"); }, Throws<DiskError>());
  EXPECT_THAT([] { throw_error(EROFS, "cannot open it"); }, testing::AllOf(Throws<Error>(), Not(Throws<DiskError>())));
}

}  // namespace
}  // namespace muster::benchmarks::disk
