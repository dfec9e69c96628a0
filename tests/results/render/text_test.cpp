// SPDX-License-Identifier: Apache-2.0
#include "results/render/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "results/json/report_json.hpp"
#include "results/strings/table.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/file.hpp"
#include "tests/results/random_report.hpp"
#include "tests/support/files.hpp"

namespace muster::results {
namespace {

Verdict problem(Status status, std::string metric, Labels labels, std::string reason) {
  Verdict verdict;
  verdict.status = status;
  verdict.metric = std::move(metric);
  verdict.labels = std::move(labels);
  verdict.reason = std::move(reason);
  return verdict;
}

TEST(Text, ExamplesLookAsTheyDid) {
  for (const auto* name : {"pass", "warn", "fail", "unknown", "skip", "gpu"}) {
    const auto source = tests::source_folder();
    const Report report = read_report(source / "results/examples" / fmt::format("{}.json", name));
    EXPECT_EQ(to_text(report, View{}), read_text(source / "tests/results/golden" / fmt::format("{}.txt", name)));
  }
}

TEST(Text, WorstProblemsComeFirst) {
  Report report;
  CheckRun& run = report.checks.emplace_back();
  run.verdicts = {problem(Status::warn, "c.warned", {}, "a"), problem(Status::unknown, "c.undecided", {}, "b"),
                  problem(Status::fail, "c.failed", {}, "c"), problem(Status::skip, "c.skipped", {}, "d")};
  const std::string text = to_text(report, View{});
  EXPECT_LT(text.find("c.failed"), text.find("c.undecided"));
  EXPECT_LT(text.find("c.undecided"), text.find("c.warned"));
  EXPECT_EQ(text.find("c.skipped"), text.npos);
  EXPECT_LT(text.find("PROBLEMS"), text.find("CHECKS"));
}

TEST(Text, UnmeasuredExpectationsAreOneProblemThatNamesEveryMetric) {
  Report report;
  CheckRun& run = report.checks.emplace_back();
  run.check = "allreduce";
  run.host = "a";
  for (int size = 0; size < 14; ++size)
    run.verdicts.push_back(
        problem(Status::fail, fmt::format("allreduce.metric_{}", size), {{"size", "1G"}}, "was not measured"));
  const std::string text = to_text(report, View{});
  EXPECT_NE(text.find("14 expectations: was not measured"), text.npos) << text;
  for (const Verdict& verdict : run.verdicts) EXPECT_NE(text.find(verdict.metric + " (size 1G)"), text.npos);
}

TEST(Text, ProblemsThatReadAlikeAreToldOnceWithAllTheirLabels) {
  Report report;
  for (const auto* gpu : {"0", "1", "2", "5"}) {
    CheckRun& run = report.checks.emplace_back();
    run.check = "m";
    run.verdicts.push_back(problem(Status::fail, "m.x", {{"gpu", gpu}}, "no answer"));
    run.verdicts.back().value = std::string("silent");
  }
  report.checks.back().verdicts.back().labels["memory"] = "sram";
  const std::string text = to_text(report, View{});
  EXPECT_NE(text.find("4 times: no answer\n           gpu 0 to 2\n           gpu 5, memory sram\n"), text.npos) << text;
  report.checks.pop_back();
  EXPECT_NE(to_text(report, View{}).find("m.x  gpu 0 to 2  no answer\n"), text.npos) << to_text(report, View{});
}

TEST(Text, WhatFollowsFromHowACheckEndedIsCountedAndToldByAllAlone) {
  Report report;
  for (const auto* check : {"cpu", "disk_io"}) {
    CheckRun& run = report.checks.emplace_back();
    run.check = check;
    run.verdicts = {problem(Status::unknown, fmt::format("{}.rate", check), {}, "could not be measured: in use: fio"),
                    problem(Status::unknown, check, {}, "in use: fio")};
  }
  CheckRun& other = report.checks.emplace_back();
  other.check = "clock";
  other.verdicts = {problem(Status::unknown, "clock.source", {}, "could not be measured: no answer")};
  const auto text = to_text(report, View{});
  EXPECT_NE(text.find("2 checks      in use: fio\n           cpu, disk_io\n"
                      "           so that 2 expectations could not be judged, which --all shows\n"),
            text.npos)
      << text;
  EXPECT_EQ(text.find("cpu.rate"), text.npos);
  EXPECT_NE(text.find("clock.source"), text.npos) << "of another check";
  EXPECT_NE(to_text(report, View{.all = true}).find("cpu.rate"), text.npos);
}

TEST(Text, ProblemsWithOtherNumbersAreNeverTheSame) {
  Report report;
  CheckRun& run = report.checks.emplace_back();
  for (const auto* gpu : {"0", "1"}) {
    run.verdicts.push_back(problem(Status::fail, "m.x", {{"gpu", gpu}}, "too slow"));
    run.verdicts.back().value = Quantity{gpu[0] - '/' + 0.0, Unit::byte_per_second};
  }
  const std::string text = to_text(report, View{});
  EXPECT_NE(text.find("m.x  gpu 0  too slow"), text.npos) << text;
  EXPECT_NE(text.find("m.x  gpu 1  too slow"), text.npos) << text;
}

TEST(Text, ABadCheckWithoutVerdictsIsAProblem) {
  Report report;
  CheckRun& run = report.checks.emplace_back();
  run.check = "limits";
  run.host = "a";
  run.status = Status::unknown;
  run.outcome = Outcome::not_started;
  run.reason = "libgpu.so.1: cannot open shared object file";
  const std::string text = to_text(report, View{});
  EXPECT_NE(text.find("UNKNOWN  limits  a  not started: libgpu.so.1: cannot open shared object file"), text.npos)
      << text;
}

TEST(Text, SeveralHostsAreNamedBesideTheComponent) {
  Report report;
  report.hosts = {{"a", {}}, {"b", {}}};
  CheckRun& run = report.checks.emplace_back();
  run.host = "b";
  run.verdicts = {problem(Status::fail, "m.x", {{"gpu", "3"}, {"host", "b"}}, "too slow")};
  EXPECT_NE(to_text(report, View{}).find("b: gpu 3  too slow"), std::string::npos);
}

TEST(Text, ColoursOnlyWhenAskedFor) {
  const Report report = read_report(tests::source_folder() / "results/examples/fail.json");
  const std::string plain = to_text(report, View{});
  std::string coloured = to_text(report, View{.colour = Colour::always});
  EXPECT_EQ(plain.find('\x1b'), plain.npos);
  EXPECT_NE(coloured.find("\x1b[1;31mFAIL   \x1b[0m"), coloured.npos);
  for (auto at = coloured.find('\x1b'); at != coloured.npos; at = coloured.find('\x1b'))
    coloured.erase(at, coloured.find('m', at) - at + 1);
  EXPECT_EQ(coloured, plain);
}

TEST(Text, NothingFromAReportReachesTheTerminalAsACommand) {
  std::mt19937_64 random(10);
  for (int round = 0; round < 100; ++round) {
    const std::string text = to_text(tests::random_report(random, {.broken_text = true}), View{});
    EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c == '\n' || static_cast<unsigned char>(c) >= 0x20; }));
  }
}

TEST(Text, ProgressLinesOfAllChecksAreAligned) {
  CheckRun run;
  run.check = "limits";
  run.host = "node-a";
  run.started = "2026-11-21T02:50:10Z";
  run.duration_seconds = 0.0873;
  run.outcome = Outcome::finished;
  run.status = Status::pass;
  run.verdicts.resize(3, problem(Status::pass, "limits.x", {}, ""));
  EXPECT_EQ(progress_line(run, Colour::never), "PASS     limits                node-a             87.3 ms  3 pass");
  run.outcome = Outcome::skipped;
  run.reason = "no GPU";
  run.status = Status::skip;
  EXPECT_EQ(progress_line(run, Colour::never),
            "SKIP     limits                node-a             87.3 ms  skipped: no GPU");
}

TEST(Text, ShortensBetweenCharacters) {
  EXPECT_EQ(shortened("µµµµ", 8), "µµµµ");
  EXPECT_EQ(shortened("µµµµ", 7), "µµ...");
  EXPECT_EQ(shortened("µµµµ", 6), "µ...");
  EXPECT_EQ(shortened("abc\xff\x1b", 8), "abc? ");
  EXPECT_EQ(printable("\xc2\x9b"), " ");
  EXPECT_EQ(columns("1 µs °C 漢"), 9u);
}

TEST(Text, IsPlainWithoutControlCharacters) {
  for (const auto* text : {"", "Model: \t NVIDIA H100\nIRQ: 5\n", "1 µs °C 漢"})
    EXPECT_TRUE(is_plain_text(text)) << text;
  for (const auto* text : {"\x01", "a\x7f", "a\r\n", "\xc2\x9b", "µ\xc2", "\xff"})
    EXPECT_FALSE(is_plain_text(text)) << text;
}

TEST(Text, WrapsListsBetweenItems) {
  const std::vector<std::string> items = {"aaaa", "bbbb", "cccccccccccccc"};
  EXPECT_EQ(wrapped(items, 10), (std::vector<std::string>{"aaaa,", "bbbb,", "cccccccccccccc"}));
  EXPECT_EQ(wrapped(items, 11), (std::vector<std::string>{"aaaa, bbbb,", "cccccccccccccc"}));
  EXPECT_TRUE(wrapped({}, 10).empty());
}

TEST(Text, FoldsBetweenWordsAndKeepsANumberWithItsUnit) {
  EXPECT_EQ(folded("copy 371 GB/s now", 80), (std::vector<std::string>{"copy 371 GB/s now"}));
  EXPECT_EQ(folded("copy 371 GB/s now", 10), (std::vector<std::string>{"copy", "371 GB/s", "now"}));
  EXPECT_EQ(folded("abcdefgh ij", 4), (std::vector<std::string>{"abcdefgh", "ij"}));
}

// A node with 8 GPUs and 9 NICs, of which some are slow.
Report large_node() {
  Report report;
  report.hosts = {{.name = "gpu-0017.cluster.example.com", .fingerprint = {}}};
  for (const auto& [check, label, count] : {std::tuple{"gpu_memory", "gpu", 8}, std::tuple{"ib_bandwidth", "nic", 9}}) {
    CheckRun& run = report.checks.emplace_back();
    run.check = check;
    run.host = report.hosts[0].name;
    run.outcome = Outcome::finished;
    for (int number = 0; number < count; ++number) {
      const auto metric = fmt::format("{}.bandwidth", check);
      const Labels labels{{label, fmt::format("mlx5_ib{}", number)},
                          {"guid", "0015:5dff:fe34:04a1"},
                          {"operation", "write"},
                          {"link_layer", "InfiniBand"},
                          {"partner", "gpu-0018.cluster.example.com"}};
      const Quantity value{(40 + number) * 1e9, Unit::byte_per_second};
      run.measurements.push_back({.metric = metric, .value = value, .labels = labels});
      run.verdicts.push_back(problem(number == 3 ? Status::fail : Status::pass, metric, labels,
                                     "43 GB/s is 12 % below 49 GB/s (decided by sign test after 170 samples)"));
      run.verdicts.back().action = "Compare with a healthy machine of the same kind and replace what is slow.";
    }
    run.status = Status::fail;
  }
  return report;
}

TEST(Text, AReasonOfBlanksIsAnEmptyOne) {
  Report report;
  report.checks.emplace_back().verdicts = {problem(Status::fail, "c.failed", {}, "   ")};
  EXPECT_NE(to_text(report, View{}).find("c.failed"), std::string::npos);
}

TEST(Text, FitsTheTerminal) {
  for (const std::size_t wide : {80U, 100U, 132U, 200U})
    for (const bool all : {false, true}) {
      std::istringstream lines(to_text(large_node(), View{.columns = wide, .all = all}));
      for (std::string each; std::getline(lines, each);) EXPECT_LE(columns(each), wide) << each;
    }
}

}  // namespace
}  // namespace muster::results
