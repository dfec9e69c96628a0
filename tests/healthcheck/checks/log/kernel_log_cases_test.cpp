// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

// A log as somebody has it, and what must be said of it: these faults, and no others.
struct Case {
  struct Fault {
    results::Status status;
    std::string code;
    results::Labels labels;
  };
  std::string kind, name;
  results::Status status;
  std::vector<Fault> faults;
  std::string log;
};

void PrintTo(const Case& given, std::ostream* out) { *out << given.kind << ", " << given.name << ":\n" << given.log; }

results::Status status(const nlohmann::json& word) { return results::status_from(word.get<std::string>()).value(); }

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto document =
      nlohmann::json::parse(std::ifstream(source_folder() / "tests/healthcheck/checks/log/cases.json"));
  for (const auto& each : document) {
    Case given{each.at("kind"), each.at("name"), status(each.at("status")), {}, {}};
    for (const auto& fault : each.at("faults"))
      given.faults.push_back(
          {status(fault.at("status")), fault.at("fault"), fault.at("labels").get<results::Labels>()});
    for (const std::string line : each.at("log")) given.log += line + "\n";
    all.push_back(std::move(given));
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.kind + "_";
  for (const char c : info.param.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name + "_" + std::to_string(info.index);
}

class KernelLogCases : public testing::TestWithParam<Case> {};

TEST_P(KernelLogCases, AreToldAsTheyAre) {
  const auto& given = GetParam();
  const TemporaryFolder folder;
  folder.write("proc/uptime", "90000.00 9000.00\n");
  folder.write("log", given.log);
  const auto run = checked(folder.path(), "generic",
                           {.tier = results::Tier::preflight, .options = {"--file", (folder.path() / "log").string()}});
  std::set<std::string> expected;
  for (const auto& [status, code, labels] : given.faults) {
    expect_fault(run, status, code, labels);
    expected.insert(code);
  }
  for (const auto& verdict : run.verdicts)
    EXPECT_TRUE(verdict.status <= results::Status::pass || verdict.status == results::Status::skip ||
                expected.contains(verdict.fault))
        << verdict.metric << " " << verdict.fault << " " << verdict.reason;
  EXPECT_EQ(run.status, given.status) << to_text(run.status);
}

INSTANTIATE_TEST_SUITE_P(OfPeople, KernelLogCases, testing::ValuesIn(cases()), name_of);

}  // namespace
}  // namespace muster::tests
