// SPDX-License-Identifier: Apache-2.0
#include "results/contradiction.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "results/error.hpp"
#include "results/report_json.hpp"
#include "tests/support/files.hpp"

namespace muster::results {
namespace {

Report example_of(const std::string& name) {
  return read_report(tests::source_folder() / "results/examples" / (name + ".json"));
}

TEST(Contradiction, IsInNoExample) {
  for (const auto* name : {"pass", "warn", "unknown", "fail", "skip", "gpu"})
    EXPECT_EQ(contradiction(example_of(name)), "");
}

struct Lie {
  std::string of;
  std::function<void(Report&)> tell;
  std::string said;
};

TEST(Contradiction, IsNamedAndRefused) {
  for (const auto& [of, tell, said] :
       {Lie{"fail", [](Report& report) { report.status = Status::pass; },
            "the report is pass, and its checks are fail"},
        Lie{"pass", [](Report& report) { report.checks.clear(); }, "and is not there"},
        Lie{"pass", [](Report& report) { report.checks.front().outcome = Outcome::crashed; }, "its outcome is crashed"},
        Lie{"pass", [](Report& report) { report.checks.front().status = Status::fail; },
            "is fail, and its verdicts are"},
        Lie{"pass", [](Report& report) { report.selection.only = {"gpu_memory"}; }, "gpu_memory was asked for"}}) {
    auto report = example_of(of);
    report.selection.only.clear();
    for (const auto& run : report.checks) report.selection.only.push_back(run.check);
    tell(report);
    EXPECT_NE(contradiction(report).find(said), std::string::npos) << contradiction(report) << " for " << said;
    EXPECT_THROW(report_from_json(to_json(report)), Error);
  }
}

TEST(Contradiction, IsAValueThatIsNotTheMedianOfItsSamples) {
  auto report = example_of("pass");
  report.checks.front().measurements.push_back({.metric = "disk_io.bandwidth",
                                                .value = Quantity{3, Unit::byte_per_second},
                                                .labels = {},
                                                .summary = Summary{.n = 9, .median = 20000},
                                                .stopping = {},
                                                .limit = {}});
  EXPECT_EQ(contradiction(report), "disk_io.bandwidth is 3, and the median of its samples 20000");
}

TEST(Contradiction, IsNotThatARunHasNotFinished) {
  auto report = example_of("pass");
  report.status = Status::unknown;
  report.checks.front().outcome = Outcome::running;
  report.checks.front().status = Status::unknown;
  report.checks.front().verdicts.clear();
  EXPECT_EQ(contradiction(report), "");
}

TEST(ReportText, WithAMarkOrANulOrAFieldTwiceIsNone) {
  const auto text = to_json(example_of("pass"));
  EXPECT_NO_THROW(report_from_json(text));
  EXPECT_THROW(report_from_json("\xef\xbb\xbf" + text), Error);
  EXPECT_THROW(report_from_json(text + '\0'), Error);
  auto twice = text;
  twice.insert(twice.find('{') + 1, R"("status": "fail", )");
  EXPECT_THROW(report_from_json(twice), Error);
}

}  // namespace
}  // namespace muster::results
