// SPDX-License-Identifier: Apache-2.0
#include "results/values/contradiction.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "results/json/report_json.hpp"
#include "results/system/error.hpp"
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
        Lie{"pass", [](Report& report) { report.selection.only = {"gpu_memory"}; }, "gpu_memory was asked for"},
        Lie{"pass", [](Report& report) { report.hosts.front().name = "node-b"; }, "and the report is not"},
        Lie{"pass",
            [](Report& report) {
              report.checks.back().hosts = {report.hosts.front().name, "node-b"};
            },
            "of host node-b, and the report is not"}}) {
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

// A run of a port with one fact and a counter, and a verdict about the fact.
CheckRun judged_run() {
  CheckRun run{.check = "ib_link", .host = "gpu-0017", .component = {{"nic", "mlx5_0"}}, .outcome = Outcome::finished};
  run.measurements = {
      {.metric = "ib_link.rate", .value = Quantity{4e11, Unit::bit_per_second}, .labels = {{"port", "1"}}}};
  run.evidence = {{.metric = "infiniband.symbol_error", .labels = {{"port", "1"}}, .before = 5, .after = 42}};
  run.status = Status::pass;
  run.verdicts = {{.status = Status::pass,
                   .metric = "ib_link.rate",
                   .labels = {{"host", "gpu-0017"}, {"nic", "mlx5_0"}, {"port", "1"}},
                   .value = Quantity{4e11, Unit::bit_per_second}}};
  return run;
}

std::string contradiction_of(const CheckRun& run) {
  Report report;
  report.hosts = {{.name = "gpu-0017"}};
  report.checks = {run};
  report.status = run.status;
  return contradiction(report);
}

TEST(Contradiction, IsAVerdictAboutWhatNoFactSays) {
  EXPECT_EQ(contradiction_of(judged_run()), "");
  auto grown = judged_run();
  grown.verdicts[0].metric = "infiniband.symbol_error";
  grown.verdicts[0].value = Quantity{37};
  EXPECT_EQ(contradiction_of(grown), "");
  for (const auto& lie :
       std::vector<std::function<void(CheckRun&)>>{[](CheckRun& run) {
                                                     run.verdicts[0].value = Quantity{4e11 + 1, Unit::bit_per_second};
                                                   },
                                                   [](CheckRun& run) {
                                                     run.verdicts[0].value = Quantity{4e11, Unit::byte_per_second};
                                                   },
                                                   [](CheckRun& run) { run.verdicts[0].value = "400 Gb/s"; },
                                                   [](CheckRun& run) { run.verdicts[0].metric = "ib_link.width"; },
                                                   [](CheckRun& run) { run.verdicts[0].labels["port"] = "2"; },
                                                   [](CheckRun& run) { run.verdicts[0].labels["nic"] = "mlx5_1"; },
                                                   [](CheckRun& run) { run.verdicts[0].labels["host"] = "gpu-0018"; },
                                                   [](CheckRun& run) { run.verdicts[0].labels["rank"] = "0"; },
                                                   [](CheckRun& run) {
                                                     run.measurements[0].value = Quantity{3, Unit::bit_per_second};
                                                   },
                                                   [](CheckRun& run) { run.measurements[0].labels["port"] = "2"; },
                                                   [](CheckRun& run) { run.measurements.clear(); }}) {
    auto run = judged_run();
    lie(run);
    EXPECT_NE(contradiction_of(run).find("and no fact of it says so"), std::string::npos) << contradiction_of(run);
  }
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

std::string refusal_of(const std::string& text) try {
  report_from_json(text);
  return "";
} catch (const Error& error) {
  return error.what();
}

TEST(ReportText, ThatIsRefusedSaysWhatAndWhere) {
  const auto text = to_json(example_of("pass"));
  const auto with = [&](const std::string& from, const std::string& to) {
    auto changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return refusal_of(changed);
  };
  EXPECT_EQ(with(R"("only": [)", R"("only": [], "only": [)"),
            "/selection/only: the field is there twice; keep one of them");
  EXPECT_EQ(with(R"("host": )", R"("host": "a", "host": )"),
            "/checks/0/host: the field is there twice; keep one of them");
  EXPECT_EQ(with(R"("schema": 1)", R"("schema": 18446744073709551616)"),
            "line 2: this is not JSON: the whole number 18446744073709551616 has more than 64 bits");
  EXPECT_EQ(with(R"("schema": 1)", R"("schema": 18446744073709551615)"), "/schema: this program reads version 1 only");
  const auto deep = [](std::size_t lists) { return std::string(lists, '[') + std::string(lists, ']'); };
  EXPECT_EQ(with(R"("schema": 1)", R"("schema": )" + deep(1024)),
            "line 2: this is not JSON: lists and objects are inside one another more than 1024 times");
  EXPECT_EQ(with(R"("schema": 1)", R"("schema": )" + std::string(200'000, '[')),
            "line 2: this is not JSON: lists and objects are inside one another more than 1024 times")
      << "cut off";
  EXPECT_EQ(with(R"("schema": 1)", R"("schema": )" + deep(1023)), "/schema: must be a number, not array");
  const auto broken = with(R"("schema": 1)", "\"schem\xff\": 1");
  EXPECT_TRUE(broken.starts_with("line 2: this is not JSON: ")) << broken;
  EXPECT_EQ(broken.find('\xff'), broken.npos) << "it goes to a terminal";
}

}  // namespace
}  // namespace muster::results
