// SPDX-License-Identifier: Apache-2.0
#include "results/values/report.hpp"

#include <gtest/gtest.h>

#include <array>

namespace muster::results {
namespace {

TEST(Selection, EverythingIsSelectedUnlessSomeAreNamed) {
  EXPECT_TRUE(Selection{}.selects("limits"));
  const Selection some{Tier::quick, {"limits", "inventory"}, {}};
  EXPECT_TRUE(some.selects("limits"));
  EXPECT_FALSE(some.selects("host_memory"));
}

TEST(Selection, SkipWinsOverOnly) {
  const Selection both{Tier::quick, {"limits"}, {"limits"}};
  EXPECT_FALSE(both.selects("limits"));
  EXPECT_FALSE((Selection{Tier::quick, {}, {"limits"}}.selects("limits")));
}

TEST(Place, IsOneHostAFewOrANumberOfThem) {
  CheckRun run;
  run.host = "a";
  EXPECT_EQ(place(run), "a");
  run.hosts = {"a", "b"};
  EXPECT_EQ(place(run), "a b");
  run.hosts.resize(64);
  EXPECT_EQ(place(run), "64 hosts");
}

TEST(Report, MergingKeepsEachHostOnceAndAllChecks) {
  Report into;
  into.hosts = {{"a", {{"kernel", "6.1"}}}};
  into.checks.emplace_back().check = "limits";
  Report from;
  from.hosts = {{"a", {{"kernel", "5.15"}, {"boot_id", "x"}}}, {"b", {}}};
  from.checks.emplace_back().check = "inventory";
  merge(into, from);
  const std::vector<Host> hosts = {{"a", {{"boot_id", "x"}, {"kernel", "6.1"}}}, {"b", {}}};
  EXPECT_EQ(into.hosts, hosts);
  ASSERT_EQ(into.checks.size(), 2u);
  EXPECT_EQ(into.checks[0].check, "limits");
  EXPECT_EQ(into.checks[1].check, "inventory");
}

TEST(Report, RecordsOnlyAllowedVariablesAndNoSecrets) {
  constexpr std::array environment = {"NCCL_DEBUG=INFO",
                                      "HOME=/root",
                                      "OMPI_COMM_WORLD_SIZE=16",
                                      "SLURM_JOB_TOKEN=abc",
                                      "NCCL_API_KEY=abc",
                                      "NCCL_IB_PKEY=1",
                                      "OMPI_MCA_my_password=abc",
                                      "CUDA_VISIBLE_DEVICES=0,1",
                                      "UCX_TLS=a=b",
                                      "KUBERNETES_PORT=1",
                                      "NCCL_WITHOUT_VALUE",
                                      "MYNCCL_DEBUG=1",
                                      "AWS_SECRET=abc",
                                      "OMP_NUM_THREADS=",
                                      static_cast<const char*>(nullptr)};
  const std::map<std::string, std::string, std::less<>> expected = {
      {"NCCL_DEBUG", "INFO"}, {"OMPI_COMM_WORLD_SIZE", "16"}, {"NCCL_IB_PKEY", "1"}, {"CUDA_VISIBLE_DEVICES", "0,1"},
      {"UCX_TLS", "a=b"},     {"OMP_NUM_THREADS", ""}};
  EXPECT_EQ(recorded_environment(environment.data()), expected);
}

TEST(Report, NowIsATimeOfThisCentury) {
  const std::string now = utc_now();
  EXPECT_TRUE(is_time(now)) << now;
  EXPECT_EQ(now.size(), std::string_view("2026-11-21T02:50:10.123Z").size());
  EXPECT_TRUE(now.starts_with("20")) << now;
}

TEST(Report, KnowsWhatATimeIs) {
  EXPECT_TRUE(is_time("2026-11-21T02:50:10Z"));
  EXPECT_TRUE(is_time("2026-11-21T02:50:10.123456789Z"));
  for (const auto* text : {"", "2026-11-21", "2026-11-21T02:50:10", "2026-11-21 02:50:10Z", "2026-11-21T02:50:10+01:00",
                           "2026-11-21T02:50:10.Z", "2026-11-21T02:50:10.1234567890Z", "2026-11-21T02:50:10ZZ"})
    EXPECT_FALSE(is_time(text)) << text;
}

TEST(TimeFrom, IsTheInstantToTheSecond) {
  using namespace std::chrono;
  EXPECT_EQ(time_from("2026-11-21T02:50:10.987Z"), sys_days(2026y / 11 / 21) + 2h + 50min + 10s);
  EXPECT_EQ(time_from("1970-01-01T00:00:00Z"), sys_seconds{});
  EXPECT_EQ(time_from(utc(sys_days(2024y / 2 / 29))), sys_days(2024y / 2 / 29));
  for (const auto* text : {"", "yesterday", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-21"})
    EXPECT_EQ(time_from(text), std::nullopt) << text;
}

TEST(Report, EveryTierAndOutcomeIsFoundByItsName) {
  for (const Tier tier : {Tier::preflight, Tier::quick, Tier::full}) EXPECT_EQ(tier_from(to_text(tier)), tier);
  for (int outcome = 0; outcome <= static_cast<int>(Outcome::in_use); ++outcome)
    EXPECT_EQ(outcome_from(to_text(static_cast<Outcome>(outcome))), static_cast<Outcome>(outcome));
  EXPECT_EQ(to_text(Outcome::in_use), "in_use");
  EXPECT_EQ(outcome_from("flying"), std::nullopt);
}

}  // namespace
}  // namespace muster::results
