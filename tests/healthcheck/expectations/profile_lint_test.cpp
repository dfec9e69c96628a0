// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/expectations/profile_lint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

const auto share = tests::source_folder() / "healthcheck";

std::vector<std::string> lint(const std::filesystem::path& file) {
  return lint_profile(file, Metrics(share / "metrics.json"), Faults(share / "faults.json"));
}

class ShippedProfile : public testing::TestWithParam<const char*> {};

TEST_P(ShippedProfile, HasNothingWrong) {
  EXPECT_EQ(lint(share / "profiles" / (std::string(GetParam()) + ".json")), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(All, ShippedProfile,
                         testing::Values("generic", "nd96isr_h100_v5", "nd96isr_h200_v5", "nd96amsr_a100_v4",
                                         "nd96asr_v4"));

// Line 4 of a profile, and what must be said of it.
struct FaultyRow {
  std::string expectation;
  std::string finding;
};

void PrintTo(const FaultyRow& faulty, std::ostream* out) { *out << faulty.expectation; }

const std::string good = R"({"check": "host_memory", "metric": "host_memory.bandwidth", "bound": "at_least",
"unit": "B/s", "pass": 2, "fail": 1, "fault": "host_memory_slow", "source": "s", "date": "2026-11-25"})";

// The good expectation with a part of it changed.
std::string changed(const std::string& part, const std::string& other) {
  auto changed = good;
  const auto at = changed.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return changed.replace(at, part.size(), other);
}

class LintedProfile : public testing::TestWithParam<FaultyRow> {
 protected:
  std::vector<std::string> findings(const std::string& expectations, const std::string& more = "") const {
    folder_.write("p.json", "{\"name\": \"p\",\n\"description\": \"d\",\n\"expectations\": [\n" + expectations + "]" +
                                more + "}");
    return lint(folder_.path() / "p.json");
  }

  tests::TemporaryFolder folder_;
};

TEST_P(LintedProfile, IsNamedWithFileAndLine) {
  const auto found = findings(GetParam().expectation);
  ASSERT_EQ(found.size(), 1U) << found.back();
  EXPECT_NE(found.front().find("/p.json:" + GetParam().finding), std::string::npos) << found.front();
}

INSTANTIATE_TEST_SUITE_P(
    Each, LintedProfile,
    testing::Values(
        FaultyRow{changed("host_memory.bandwidth", "host_memory.bandwith"),
                  "4: /expectations/0/metric: no check measures 'host_memory.bandwith'. Did you mean "
                  "'host_memory.bandwidth'?"},
        FaultyRow{changed(R"("check": "host_memory")", R"("check": "limits")"),
                  "4: /expectations/0/check: host_memory.bandwidth is a fact of the check host_memory"},
        FaultyRow{
            changed(R"("bound")", R"("labels": {"colour": "red"}, "bound")"),
            "4: /expectations/0/labels: host_memory.bandwidth has no label 'colour'. It has cpu, first_index, host"},
        FaultyRow{
            R"({"check": "limits", "metric": "limits.shm_size", "labels": {"path": "/dev/shm"}, "bound": "at_least",
"unit": "B", "pass": 2, "fail": 1, "fault": "shm_too_small", "source": "s", "date": "2026-11-25"})",
            "4: /expectations/0/labels: path of limits.shm_size is never '/dev/shm'. Did you mean 'dev/shm'?"},
        FaultyRow{changed(R"("bound": "at_least")", R"("labels": {"kernel": "traid"}, "bound": "at_least")"),
                  "4: /expectations/0/labels: kernel of host_memory.bandwidth is never 'traid'. Did you mean 'triad'? "
                  "It is one of copy, "
                  "scale, add, triad"},
        FaultyRow{changed(R"("unit": "B/s")", R"("unit": "bit/s")"),
                  "5: /expectations/0/unit: host_memory.bandwidth is measured in B/s, not in bit/s"},
        FaultyRow{changed(R"("bound": "at_least",
"unit": "B/s", "pass": 2, "fail": 1)",
                          R"("bound": "equals", "value": "fast")"),
                  "4: /expectations/0/value: host_memory.bandwidth is measured in B/s, not as a text"},
        FaultyRow{changed(R"("metric": "host_memory.bandwidth", "bound": "at_least",
"unit": "B/s", "pass": 2, "fail": 1)",
                          R"("metric": "host_memory.limit", "bound": "peers")"),
                  "4: /expectations/0/bound: host_memory.limit is measured as a text, not as a number"},
        FaultyRow{changed(R"("metric": "host_memory.bandwidth", "bound": "at_least",
"unit": "B/s", "pass": 2, "fail": 1)",
                          R"("metric": "host_memory.limit", "bound": "one_of", "values": [1, 2])"),
                  "4: /expectations/0/values: host_memory.limit is measured as a text, not in 1"},
        FaultyRow{changed(R"("at_least",
"unit": "B/s", "pass": 2, "fail": 1)",
                          R"("at_most",
"unit": "B/s", "pass": 1, "fail": 2)"),
                  "4: /expectations/0/bound: host_memory.bandwidth: more of it is better; expect at_least"},
        FaultyRow{R"({"check": "gpu_copy", "metric": "gpu_copy.latency", "bound": "at_least",
"unit": "s", "pass": 2, "fail": 1, "fault": "gpu_copy_slow", "source": "s", "date": "2026-11-25"})",
                  "4: /expectations/0/bound: gpu_copy.latency: less of it is better; expect at_most"},
        FaultyRow{R"({"check": "gpu_state", "metric": "gpu_state.power", "bound": "peers",
"fault": "gpu_hot", "source": "s", "date": "2026-11-25"})",
                  "4: /expectations/0/bound: gpu_state.power: neither more nor less of it is better"},
        FaultyRow{changed("host_memory_slow", "host_memory_slaw"),
                  "5: /expectations/0/fault: there is no fault 'host_memory_slaw'. Did you mean 'host_memory_slow'?"},
        FaultyRow{changed(R"("pass": 2, "fail": 1)", R"("pass": 1, "fail": 2)"),
                  "5: /expectations/0/pass: the thresholds are crossed"},
        FaultyRow{changed(R"("source": "s", )", ""), "4: /expectations/0: the field 'source' is missing"},
        FaultyRow{changed(R"("source": "s")", R"("source": "")"), "5: /expectations/0/source: must not be empty"},
        FaultyRow{changed(R"("date": "2026-11-25")", R"("date": "today")"),
                  "5: /expectations/0/date: 'today' is not a date"},
        FaultyRow{changed(R"("bound": "at_least")", R"("bound": "at_lest")"),
                  "4: /expectations/0/bound: 'at_lest' is not one of"},
        FaultyRow{changed(R"("unit": "B/s")", R"("unit": "GB/s")"), "5: /expectations/0/unit: 'GB/s' is not one of"},
        FaultyRow{changed(R"("fault": "host_memory_slow")", R"("fault": "host_memory_slow", "fault_label": "code")"),
                  "5: /expectations/0/fault: the label says the code already"},
        FaultyRow{good + ",\n" + good, "6: /expectations/1: the same check, metric, labels and bound"},
        FaultyRow{changed(R"("date")", R"("dated": 1, "date")"), "5: /expectations/0/dated: there is no such field"}));

class FaultyFile : public LintedProfile {};

TEST_F(FaultyFile, AllThatIsWrongIsSaidAtOnce) {
  const auto found = findings(changed("host_memory.bandwidth", "x.y") + ",\n" + changed("host_memory_slow", "z") +
                              ",\n" + changed(R"("pass": 2)", R"("pass": 0)"));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NE(found[0].find("/p.json:4: /expectations/0/metric"), std::string::npos) << found[0];
  EXPECT_NE(found[1].find("/p.json:7: /expectations/1/fault"), std::string::npos) << found[1];
  EXPECT_NE(found[2].find("/p.json:9: /expectations/2/pass"), std::string::npos) << found[2];
}

TEST_F(FaultyFile, HundredsOfProblemsAreEnough) {
  std::string many = good;
  for (std::size_t each = 0; each < max_findings + 50; ++each)
    many += ",\n" + changed("host_memory_slow", fmt::format("z{}", each));
  EXPECT_EQ(findings(many).size(), max_findings);
}

TEST_F(FaultyFile, EvidenceIsLookedAtAsWell) {
  const auto found = findings(good, R"(,
"evidence": [ { "metric": "pcie_aer.fatel", "bound": "no_change", "fault": "pcie_fatal_errors", "source": "s", "date": "2026-11-25" } ])");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("/p.json:6: /evidence/0/metric: no check measures 'pcie_aer.fatel'"), std::string::npos)
      << found[0];
}

TEST_F(FaultyFile, ACircleAndAParentThatIsNotThereAreNamed) {
  const auto circle = findings(good, ",\n\"extends\": \"p\"");
  ASSERT_EQ(circle.size(), 1U);
  EXPECT_NE(circle[0].find("/p.json:6: /extends: 'p' extends this profile in turn"), std::string::npos) << circle[0];
  const auto orphan = findings(good, ",\n\"extends\": \"nobody\"");
  ASSERT_EQ(orphan.size(), 1U);
  EXPECT_NE(orphan[0].find("/p.json:6: /extends: there is no profile 'nobody'"), std::string::npos) << orphan[0];
}

TEST_F(FaultyFile, AFileThatIsNoJsonOrNotThereIsOneFinding) {
  folder_.write("broken.json", "{\n\"name\": }");
  EXPECT_EQ(lint(folder_.path() / "broken.json").size(), 1U);
  EXPECT_EQ(lint(folder_.path() / "none.json").size(), 1U);
}

TEST(Distance, IsTheLogarithmOfTheThresholdsInSpreads) {
  Expectation expectation;
  expectation.bound = {.kind = BoundKind::at_least, .pass = 440, .fail = 400};
  EXPECT_NEAR(distance(expectation)->logarithm, std::log(1.1), 1e-12);
  EXPECT_FALSE(distance(expectation)->noises);
  expectation.noise = 0.01;
  EXPECT_NEAR(*distance(expectation)->noises, std::log(1.1) / 0.01, 1e-9);
  expectation.bound = {.kind = BoundKind::at_most, .pass = 400, .fail = 440};
  EXPECT_NEAR(distance(expectation)->logarithm, std::log(1.1), 1e-12);
  expectation.bound = {.kind = BoundKind::at_most, .pass = 0, .fail = 0};
  EXPECT_FALSE(distance(expectation));
  expectation.bound = {.kind = BoundKind::peers};
  EXPECT_FALSE(distance(expectation));
}

}  // namespace
}  // namespace muster::healthcheck
