// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "healthcheck/parts/log/catalogue.hpp"
#include "healthcheck/parts/log/incidents.hpp"

namespace muster::tests {
namespace {

using healthcheck::Catalogue;
using healthcheck::History;
using healthcheck::Incidents;
using healthcheck::KernelFault;
using healthcheck::Moment;

constexpr double hour = 3600;
constexpr double day = 24 * hour;

KernelFault row(std::string pattern, std::string fault) {
  return {.pattern = std::move(pattern), .meaning = "it happened", .fault = std::move(fault)};
}

// A catalogue of a fault, what follows from it, what ends it, what applications cause and a link.
Catalogue small_catalogue() {
  auto crash = row("^crash of (?P<pci>[0-9a-f:.]+) by (?P<pid>\\d+)", "crash");
  crash.is_by_application = true;
  crash.can_point_to_device = true;
  auto clean_up = row("^clean-up of (?P<pci>[0-9a-f:.]+)", "clean_up");
  clean_up.consequence_of = {"lost"};
  auto lost = row("^lost (?P<pci>[0-9a-f:.]+)", "lost");
  auto found = row("^found (?P<pci>[0-9a-f:.]+)", "");
  found.ends = {"lost"};
  auto down = row("^down (?P<nic>\\w+)", "flapping");
  down.is_harmless_at_start = true;
  down.flaps_from = 3;
  auto up = row("^up (?P<nic>\\w+)", "");
  up.ends = {"flapping"};
  up.end = KernelFault::End::by_itself;
  auto odd = row("^odd ", "");
  odd.is_unknown = true;
  return Catalogue({crash, clean_up, lost, found, down, up, odd});
}

// A log that is told message by message.
class IncidentsOf : public testing::Test {
 protected:
  IncidentsOf() { incidents_.begin_boot(true); }

  void say(double seconds, const std::string& text) {
    now_ = {.seconds = seconds};
    if (const auto hit = catalogue_.find(text)) incidents_.add(*hit, now_, text);
  }
  const History& of(const std::string& fault, const results::Labels& component) const {
    return incidents_.histories().at({fault, component});
  }
  const History& of_link() const { return of("flapping", {{"nic", "mlx5_3"}}); }
  const History& of_lost() const { return of("lost", gpu_); }

  Catalogue catalogue_ = small_catalogue();
  Incidents incidents_;
  Moment now_;
  const results::Labels gpu_ = {{"pci", "0001:00:00.0"}};
};

TEST_F(IncidentsOf, MessagesNearToEachOtherAreOne) {
  for (const double seconds : {100.0, 100.001, 104.0, 108.9}) say(seconds, "lost 0001:00:00");
  EXPECT_EQ(of_lost().open(now_), 1U);
  EXPECT_EQ(of_lost().messages(), 4U);
  EXPECT_EQ(of_lost().began().text(), "100.0 s after boot");
  say(120, "lost 0001:00:00");
  EXPECT_EQ(of_lost().open(now_), 2U);
}

TEST_F(IncidentsOf, OneAddressIsOneComponentHoweverItIsSpelt) {
  say(1, "lost 0001:00:00");
  say(1, "lost 0001:00:00.0");
  say(1, "lost 00000001:00:00.0");
  EXPECT_EQ(of_lost().messages(), 3U);
  EXPECT_EQ(incidents_.histories().size(), 1U);
  say(1, "lost 00010002:00:00");
  say(1, "lost 10002:00:00.0");
  EXPECT_EQ(incidents_.histories().size(), 2U);
}

TEST_F(IncidentsOf, ADocumentedEndLeavesNothing) {
  say(100, "lost 0001:00:00");
  say(200, "found 0001:00:00");
  EXPECT_EQ(of_lost().open(now_), 0U);
  EXPECT_EQ(of_lost().recovered(now_), 0U);
  EXPECT_EQ(of_lost().ended(KernelFault::End::documented), 1U);
  say(201, "lost 0001:00:00");  // near to the one before, which is over
  EXPECT_EQ(of_lost().open(now_), 1U);
  EXPECT_EQ(of_lost().began().text(), "201.0 s after boot");
}

TEST_F(IncidentsOf, AnEndOfOneComponentEndsNoOther) {
  say(100, "lost 0001:00:00");
  say(200, "found 0002:00:00");
  EXPECT_EQ(of_lost().open(now_), 1U);
}

TEST_F(IncidentsOf, WhatEndedByItselfIsTakenSeriouslyForADay) {
  say(1, "up mlx5_3");
  say(100, "down mlx5_3");
  EXPECT_EQ(of_link().open(now_), 1U);
  say(110, "up mlx5_3");
  EXPECT_EQ(of_link().open(now_), 0U);
  EXPECT_EQ(of_link().recovered(now_), 1U);
  EXPECT_EQ(of_link().recovered({.seconds = 110 + day - 1}), 1U);
  EXPECT_EQ(of_link().recovered({.seconds = 110 + day + 1}), 0U);
}

TEST_F(IncidentsOf, WhatEndsByItselfAgainAndAgainIsNotOver) {
  say(1, "up mlx5_3");
  for (int i = 1; i <= 3; ++i) {
    EXPECT_LT(i == 1 ? 0 : of_link().open(now_), 3U);
    say(i * hour, "down mlx5_3");
    say(i * hour + 10, "up mlx5_3");
  }
  EXPECT_EQ(of_link().open(now_), 3U);
  EXPECT_EQ(of_link().recovered(now_), 0U);
  EXPECT_EQ(of_link().open({.seconds = 3 * day}), 0U);
}

TEST_F(IncidentsOf, ALinkThatWasNotYetUpDoesNoHarm) {
  say(1, "down mlx5_3");
  say(2, "up mlx5_3");
  EXPECT_TRUE(incidents_.histories().empty());
  say(hour, "down mlx5_3");
  EXPECT_EQ(of_link().open(now_), 1U);
}

TEST_F(IncidentsOf, WithoutTheStartOfTheBootNoFirstOneIsHarmless) {
  incidents_.begin_boot(false);
  say(5000, "down mlx5_3");
  EXPECT_EQ(of_link().open(now_), 1U);
}

TEST_F(IncidentsOf, AConsequenceCountsForItsCause) {
  say(100, "lost 0001:00:00");
  say(101, "clean-up of 0001:00:00");
  EXPECT_EQ(incidents_.histories().size(), 1U);
  say(101, "clean-up of 0002:00:00");
  EXPECT_EQ(of("clean_up", {{"pci", "0002:00:00.0"}}).open(now_), 1U);
  say(400, "clean-up of 0001:00:00");
  EXPECT_EQ(of("clean_up", gpu_).open(now_), 1U);
}

TEST_F(IncidentsOf, EachProcessHasIncidentsOfItsOwn) {
  for (int i = 0; i < 100; ++i) say(100 + i * 0.01, fmt::format("crash of 0001:00:00 by {}", 1 + i % 2));
  EXPECT_EQ(of("crash", gpu_).incidents(), 2U);
  EXPECT_EQ(of("crash", gpu_).messages(), 100U);
}

TEST_F(IncidentsOf, AGpuOfWhichThreeProcessesOfThreeDaysCrashedIsSuspect) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(incidents_.suspects().empty());
    say(i * day + 100, fmt::format("crash of 0001:00:00 by {}", 4000 + i));
  }
  EXPECT_EQ(incidents_.suspects().size(), 1U);
  say(3 * day, "crash of 0002:00:00 by 4711");
  EXPECT_TRUE(incidents_.suspects().empty()) << "another GPU has it, too: the applications are at fault";
}

TEST_F(IncidentsOf, ManyCrashesOfOneDayOrOfOneProcessMakeNoSuspect) {
  for (int i = 0; i < 50; ++i) say(100 + i * 60, fmt::format("crash of 0001:00:00 by {}", i));
  for (int i = 0; i < 5; ++i) say(i * day + 100, "crash of 0001:00:00 by 7");
  EXPECT_TRUE(incidents_.suspects().empty());
}

TEST_F(IncidentsOf, AnotherBootBeginsAnew) {
  say(100, "lost 0001:00:00");
  say(101, "odd thing");
  incidents_.begin_boot(true);
  EXPECT_TRUE(incidents_.histories().empty());
  EXPECT_TRUE(incidents_.unknown().empty());
  EXPECT_EQ(incidents_.of_earlier_boots().at({"lost", gpu_}), 1U);
}

TEST_F(IncidentsOf, UnknownMessagesAreToldByTheirWords) {
  for (int i = 0; i < 10; ++i) say(i, fmt::format("odd thing {} at 0x{:x} of nvme{}", i, i * 4096, i));
  ASSERT_EQ(incidents_.unknown().size(), 1U);
  const auto& [words, entry] = *incidents_.unknown().begin();
  EXPECT_EQ(words, "odd thing # at # of nvme#");
  EXPECT_EQ(entry.messages, 10U);
  EXPECT_EQ(entry.last, "odd thing 9 at 0x9000 of nvme9");
}

TEST_F(IncidentsOf, NeitherComponentsNorWordingsNorProcessesTakeMemoryWithoutEnd) {
  for (int i = 0; i < 3000; ++i) {
    say(i, fmt::format("lost {:04x}:00:00", i));
    say(i, fmt::format("odd {}", std::string(static_cast<std::size_t>(i % 100), 'x')));
    say(i, fmt::format("crash of 0001:00:00 by {}", i));
  }
  EXPECT_LE(incidents_.histories().size(), Incidents::max_components + 2);
  EXPECT_LE(incidents_.unknown().size(), Incidents::max_wordings + 1);
  EXPECT_EQ(of("lost", {}).messages(), 3000U - (Incidents::max_components - 1));
}

TEST(Moments, WithoutAClockInCommonAreNear) {
  const Moment boot{.seconds = 5};
  const Moment date{.date = 1.7e9};
  EXPECT_TRUE(boot.is_near(date, 1));
  EXPECT_EQ(date.since(boot), std::nullopt);
  EXPECT_EQ(date.text(), "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(Moment().text(), "");
  EXPECT_EQ(Moment().day(), std::nullopt);
}

}  // namespace
}  // namespace muster::tests
