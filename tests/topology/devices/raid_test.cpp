// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/raid.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace muster::topology {
namespace {

class RaidArrays : public testing::Test {
 protected:
  RaidArrays() {
    tree_.write("sys/block/nvme0n1/size", "8\n");
    tree_.write("sys/block/md127/md/level", "raid1\n");
    tree_.write("sys/block/md127/md/array_state", "active\n");
    tree_.write("sys/block/md127/md/raid_disks", "3\n");
    tree_.write("sys/block/md127/md/dev-nvme0n1/state", "in_sync,write_mostly\n");
    tree_.write("sys/block/md127/md/dev-nvme1n1p2/state", "faulty,in_sync\n");
    tree_.write("sys/block/md127/md/dev-nvme2n1/state", "spare\n");
    tree_.write("sys/block/md127/md/chunk_size", "524288\n");
    tree_.write("sys/block/md127/md/dev-nvme0n1/slot", "1\n");
    tree_.write("sys/block/md127/md/dev-nvme2n1/slot", "none\n");
  }
  RaidArray array() const {
    const auto arrays = raid_arrays(Sysfs(tree_.path()));
    EXPECT_EQ(arrays.size(), 1U);
    return arrays.at(0);
  }

  tests::TemporaryFolder tree_;
};

TEST_F(RaidArrays, AreNotTheContainersOfFirmware) {
  tree_.write("sys/block/md126/md/array_state", "inactive\n");
  tree_.write("sys/block/md126/md/metadata_version", "external:imsm\n");
  tree_.write("sys/block/md127/md/metadata_version", "external:/md126/0\n");
  EXPECT_EQ(array().name, "md127");
}

TEST_F(RaidArrays, AreNotWhatIsLeftOfOneThatWasStopped) {
  tree_.write("sys/block/md126/md/array_state", "clear\n");
  tree_.write("sys/block/md126/md/raid_disks", "");
  EXPECT_EQ(array().name, "md127");
}

TEST_F(RaidArrays, HaveTheirMembersByDevice) {
  const auto found = array();
  EXPECT_EQ(found.name, "md127");
  EXPECT_EQ(found.level, "raid1");
  EXPECT_EQ(found.state, "active");
  ASSERT_EQ(found.members.size(), 3U);
  EXPECT_EQ(found.members[0].device, "nvme0n1");
  EXPECT_EQ(found.members[0].state, "in_sync");
  EXPECT_EQ(found.members[1].device, "nvme1n1p2");
  EXPECT_EQ(found.members[1].state, "faulty");
  EXPECT_EQ(found.members[2].state, "spare");
  EXPECT_EQ(found.chunk_bytes, 524288);
  EXPECT_EQ(found.members[0].slot, 1);
  EXPECT_EQ(found.members[1].slot, std::nullopt);
  EXPECT_EQ(found.members[2].slot, std::nullopt);
}

TEST_F(RaidArrays, SayTheWorstOfAMemberAndWhichIsGone) {
  for (const auto* state : {"want_replacement", "write_error"}) {
    tree_.write("sys/block/md127/md/dev-nvme0n1/state", std::string("in_sync,") + state + "\n");
    EXPECT_EQ(array().members[0].state, state);
  }
  for (const auto* state : {"spare", "journal"}) {
    tree_.write("sys/block/md127/md/dev-nvme0n1/state", std::string(state) + ",replacement\n");
    EXPECT_EQ(array().members[0].state, state);
  }
  for (const auto* device : {"nvme1n1p2", "nvme2n1"})
    tree_.write(std::string("sys/class/block/") + device + "/dev", "259:1\n");
  EXPECT_EQ(array().members[0].state, "gone");
  EXPECT_EQ(array().members[1].state, "faulty");
}

TEST_F(RaidArrays, MissWhatTheKernelCountsOrWhatDoesNotWork) {
  EXPECT_EQ(array().missing, 2);
  tree_.write("sys/block/md127/md/degraded", "1\n");
  EXPECT_EQ(array().missing, 1);
}

}  // namespace
}  // namespace muster::topology
