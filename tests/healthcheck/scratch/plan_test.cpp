// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

namespace muster::healthcheck::scratch {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t drive_bytes = std::uint64_t{3'520'000'000'000};
constexpr std::string_view uuid = "01234567:89abcdef:01234567:89abcdef";
const Wishes wishes{.mount_at = "/mnt/scratch"};
const Signature of_md{.text = "a part of an array or volume (linux_raid_member)", .offset = superblock_offset};
const Signature xfs{.text = "a file system (xfs)"};

Drive empty(std::size_t number) {
  return {.name = fmt::format("nvme{}n1", number),
          .number = fmt::format("259:{}", number),
          .model = "Microsoft NVMe Direct Disk v2",
          .bytes = drive_bytes,
          .is_of_model = true,
          .contents = {.is_blank = true}};
}

Drive member(std::size_t number, std::size_t members) {
  auto drive = empty(number);
  drive.holders = {"md127"};
  drive.contents = {.signatures = {of_md},
                    .membership = Membership{.uuid = std::string(uuid),
                                             .slot = number,
                                             .members = members,
                                             .data_begin = data_offset,
                                             .data_end = drive_bytes}};
  return drive;
}

Facts all(std::size_t drives, const std::function<Drive(std::size_t)>& made) {
  Facts facts;
  for (std::size_t number = 0; number < drives; ++number) facts.drives.push_back(made(number));
  return facts;
}

// Eight drives of an array, and what the kernel has of it.
Facts running(Array array) {
  auto facts = all(8, [](auto number) { return member(number, 8); });
  array.name = "md127";
  array.is_running = true;
  facts.arrays = {std::move(array)};
  return facts;
}

Facts mounted() {
  auto facts = running({.mounts = {"/mnt/scratch"}});
  facts.mounted = "md127";
  for (auto& drive : facts.drives) drive.mounts = {"/mnt/scratch"};
  return facts;
}

Facts stopped() {
  auto facts = all(8, [](auto number) { return member(number, 8); });
  for (auto& drive : facts.drives) drive.holders.clear();
  return facts;
}

TEST(ScratchPlan, MakesAnArrayOfEightEmptyDrives) {
  const auto made = plan(all(8, empty), wishes);
  EXPECT_EQ(made.action, Action::create);
  EXPECT_EQ(made.members.size(), 8U);
  for (const auto& choice : made.drives) EXPECT_EQ(choice.decision, Decision::take);
}

TEST(ScratchPlan, GoesOnStepByStepFromWhatThereIs) {
  const Signature own{.text = "a file system (ext4) named muster-scratch", .is_own_filesystem = true};
  const auto next = [](const Facts& facts) { return plan(facts, wishes).action; };
  EXPECT_EQ(next(stopped()), Action::assemble);
  EXPECT_EQ(next(running({.contents = {.is_blank = true}})), Action::format);
  EXPECT_EQ(next(running({.contents = {.is_unfinished = true}})), Action::format);
  EXPECT_EQ(next(running({.contents = {.signatures = {own}}})), Action::mount);
  EXPECT_EQ(next(running({.contents = {.signatures = {own}, .is_unfinished = true}})), Action::mount);
  EXPECT_EQ(next(mounted()), Action::none);
  auto inactive = running({});
  inactive.arrays[0].is_running = false;
  EXPECT_EQ(next(inactive), Action::assemble);
}

TEST(ScratchPlan, HasTheMembersOfItsArrayInTheirOrder) {
  auto facts = stopped();
  std::ranges::reverse(facts.drives);
  const auto made = plan(facts, wishes);
  EXPECT_EQ(made.uuid, uuid);
  EXPECT_EQ(made.members.front(), "nvme0n1");
  EXPECT_EQ(made.members.back(), "nvme7n1");
}

// One drive of eight that is not empty, and how it is named.
struct Occupied {
  const char* name;
  std::function<void(Drive&)> change;
  Decision decision;
  const char* reason;
};

void PrintTo(const Occupied& drive, std::ostream* out) { *out << drive.name; }

class OccupiedDrive : public testing::TestWithParam<Occupied> {};

TEST_P(OccupiedDrive, IsLeftAloneAndNamed) {
  auto facts = all(8, empty);
  GetParam().change(facts.drives[3]);
  const auto made = plan(facts, wishes);
  EXPECT_EQ(made.drives[3].decision, GetParam().decision);
  EXPECT_THAT(made.drives[3].reason, HasSubstr(GetParam().reason));
  EXPECT_THAT(made.members, testing::Not(testing::Contains("nvme3n1")));
  EXPECT_EQ(made.action, GetParam().decision == Decision::unknown ? Action::stop : Action::create);
  EXPECT_EQ(made.is_unknown, GetParam().decision == Decision::unknown);

  const auto of_eight = plan(facts, {.drives = 8, .mount_at = wishes.mount_at});
  EXPECT_EQ(of_eight.action, Action::stop);
  EXPECT_TRUE(of_eight.members.empty());
  if (GetParam().decision != Decision::other_model) {
    EXPECT_THAT(of_eight.reason, HasSubstr("nvme3n1"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, OccupiedDrive,
    testing::Values(
        Occupied{"other_model",
                 [](Drive& drive) {
                   drive.model = "MSFT NVMe Accelerator v1.0";
                   drive.is_of_model = false;
                 },
                 Decision::other_model, "is a 'MSFT NVMe Accelerator v1.0'"},
        Occupied{"unreadable", [](Drive& drive) { drive.contents = {.problem = "Input/output error"}; },
                 Decision::unknown, "Input/output error"},
        Occupied{"two_paths", [](Drive& drive) { drive.other_path = "nvme9n1"; }, Decision::refuse,
                 "is the same drive as nvme9n1"},
        Occupied{"system",
                 [](Drive& drive) {
                   drive.mounts = {"/data", "/"};
                 },
                 Decision::refuse, "carries the operating system (/data, /)"},
        Occupied{"boot", [](Drive& drive) { drive.mounts = {"/boot/efi"}; }, Decision::refuse, "operating system"},
        Occupied{"mounted", [](Drive& drive) { drive.mounts = {"/data"}; }, Decision::refuse, "is mounted at /data"},
        Occupied{"swap", [](Drive& drive) { drive.is_swap = true; }, Decision::refuse, "is swapped to"},
        Occupied{"partitions", [](Drive& drive) { drive.partitions = {"nvme3n1p1"}; }, Decision::refuse,
                 "has partitions: nvme3n1p1"},
        Occupied{"held", [](Drive& drive) { drive.holders = {"dm-0"}; }, Decision::refuse, "is held by dm-0"},
        Occupied{"signatures",
                 [](Drive& drive) {
                   drive.contents = {.signatures = {xfs, of_md}};
                 },
                 Decision::refuse, "holds a file system (xfs) and a part of an array"},
        Occupied{"data", [](Drive& drive) { drive.contents.is_blank = false; }, Decision::refuse,
                 "blkdiscard /dev/nvme3n1 makes it empty"},
        Occupied{"read_only", [](Drive& drive) { drive.is_read_only = true; }, Decision::refuse, "cannot be written"},
        Occupied{"claimed", [](Drive& drive) { drive.is_claimed = true; }, Decision::refuse, "is in use"}),
    [](const auto& test) { return test.param.name; });

// Facts in which something is in the way, and the words that say so.
struct Obstacle {
  const char* name;
  std::function<Facts()> facts;
  const char* reason;
  bool is_unknown = false;
  Wishes wished = wishes;
};

void PrintTo(const Obstacle& obstacle, std::ostream* out) { *out << obstacle.name; }

class ScratchObstacle : public testing::TestWithParam<Obstacle> {};

TEST_P(ScratchObstacle, StopsAndIsNamed) {
  const auto made = plan(GetParam().facts(), GetParam().wished);
  EXPECT_EQ(made.action, Action::stop) << made.reason;
  EXPECT_THAT(made.reason, HasSubstr(GetParam().reason));
  EXPECT_EQ(made.is_unknown, GetParam().is_unknown);
}

Facts changed(Facts facts, const std::function<void(Facts&)>& change) {
  change(facts);
  return facts;
}

INSTANTIATE_TEST_SUITE_P(
    All, ScratchObstacle,
    testing::Values(
        Obstacle{"no_drive", [] { return Facts{}; }, "no local NVMe drive of the model 'Microsoft NVMe Direct Disk*'"},
        Obstacle{"none_empty",
                 [] {
                   return all(1, [](auto number) {
                     auto drive = empty(number);
                     drive.contents = {.signatures = {xfs}};
                     return drive;
                   });
                 },
                 "no drive is empty: nvme0n1 holds a file system (xfs)"},
        Obstacle{"too_many",
                 [] { return all(9, empty); },
                 "8 empty drives are wanted and there are 9",
                 false,
                 {.drives = 8, .mount_at = "/mnt/scratch"}},
        Obstacle{"place_before", [] { return changed(all(8, empty), [](auto& facts) { facts.mounted = "nvme9n1"; }); },
                 "/mnt/scratch has nvme9n1 mounted already"},
        Obstacle{"place_after", [] { return changed(running({}), [](auto& facts) { facts.mounted = "nvme9n1"; }); },
                 "/mnt/scratch has nvme9n1 mounted already"},
        Obstacle{"place_over", [] { return changed(mounted(), [](auto& facts) { facts.mounted = "tmpfs"; }); },
                 "tmpfs is mounted at /mnt/scratch, over muster's array md127"},
        Obstacle{"lost",
                 [] { return changed(stopped(), [](auto& facts) { facts.drives.erase(facts.drives.begin() + 2); }); },
                 "lacks drive 3 of 8"},
        Obstacle{"lost_of_mounted",
                 [] { return changed(mounted(), [](auto& facts) { facts.drives.erase(facts.drives.begin() + 2); }); },
                 "lacks drive 3 of 8"},
        Obstacle{"replaced", [] { return changed(stopped(), [](auto& facts) { facts.drives[2] = empty(2); }); },
                 "nvme2n1 is empty, and not in muster's array"},
        Obstacle{"member_with_partitions",
                 [] { return changed(stopped(), [](auto& facts) { facts.drives[2].partitions = {"nvme2n1p1"}; }); },
                 "nvme2n1 has partitions"},
        Obstacle{"member_with_signature",
                 [] {
                   return changed(stopped(), [](auto& facts) { facts.drives[2].contents.signatures = {of_md, xfs}; });
                 },
                 "nvme2n1 is of an array of muster, but holds a file system (xfs), too"},
        Obstacle{"member_of_others_held",
                 [] { return changed(stopped(), [](auto& facts) { facts.drives[2].holders = {"dm-0"}; }); },
                 "nvme2n1 is of an array of muster, but held by dm-0"},
        Obstacle{
            "two_arrays",
            [] { return changed(stopped(), [](auto& facts) { facts.drives[2].contents.membership->uuid = "other"; }); },
            "nvme0n1 and nvme2n1 are of two arrays"},
        Obstacle{"copy",
                 [] { return changed(stopped(), [](auto& facts) { facts.drives[2].contents.membership->slot = 1; }); },
                 "nvme1n1 and nvme2n1 are copies"},
        Obstacle{"in_two",
                 [] {
                   return changed(running({}), [](auto& facts) {
                     facts.drives[2].holders = {"md126"};
                     facts.arrays.push_back({.name = "md126"});
                   });
                 },
                 "its drives are in md127 and md126"},
        Obstacle{"of_other_count",
                 [] { return mounted(); },
                 "is of 8 drives, and 7 are wanted",
                 false,
                 {.drives = 7, .mount_at = "/mnt/scratch"}},
        Obstacle{"elsewhere",
                 [] { return mounted(); },
                 "md127 is mounted at /mnt/scratch: unmount it there",
                 false,
                 {.mount_at = "/mnt/other"}},
        Obstacle{"broken", [] { return changed(mounted(), [](auto& facts) { facts.arrays[0].is_running = false; }); },
                 "md127 is broken"},
        Obstacle{"foreign", [] { return running({.contents = {.signatures = {xfs}}}); },
                 "md127 holds a file system (xfs)"},
        Obstacle{"foreign_over_unfinished",
                 [] { return running({.contents = {.signatures = {xfs}, .is_unfinished = true}}); },
                 "md127 holds a file system (xfs)"},
        Obstacle{"unknown_data", [] { return running({}); }, "md127 holds unknown data"},
        Obstacle{"unreadable", [] { return running({.contents = {.problem = "Input/output error"}}); },
                 "what is on muster's array md127 is not known: Input/output error", true}),
    [](const auto& test) { return test.param.name; });

TEST(ScratchPlan, KeepsItsArrayWhereAnotherDriveIsEmpty) {
  auto facts = mounted();
  facts.drives.push_back(empty(8));
  const auto made = plan(facts, wishes);
  EXPECT_EQ(made.action, Action::none);
  EXPECT_EQ(made.drives[8].decision, Decision::spare);
}

TEST(ScratchPlan, TakesNothingInItsArraysDataForASignature) {
  auto facts = mounted();
  facts.drives[2].contents.signatures.push_back({.text = "a file system (btrfs)", .offset = data_offset});
  EXPECT_EQ(plan(facts, wishes).action, Action::none);
  facts.drives[2].contents.signatures.back().offset = drive_bytes;
  EXPECT_EQ(plan(facts, wishes).action, Action::stop);
}

TEST(ScratchPlan, NamesAllThatIsNotKnown) {
  auto facts = all(8, empty);
  for (const auto number : {2, 5})
    facts.drives[static_cast<std::size_t>(number)].contents = {.problem = "no such file"};
  EXPECT_EQ(plan(facts, wishes).reason, "nvme2n1 is not known: no such file; nvme5n1 is not known: no such file");
}

}  // namespace
}  // namespace muster::healthcheck::scratch
