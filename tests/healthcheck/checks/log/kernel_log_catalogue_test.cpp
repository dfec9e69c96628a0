// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "healthcheck/parts/log/catalogue.hpp"
#include "tests/healthcheck/checks/log/kernel_log_machine.hpp"

namespace muster::tests {
namespace {

TEST(KernelLogCatalogue, EachRowIsTheFirstThatOneLineOfTheTestsFits) {
  const auto all = catalogue();
  std::set<const healthcheck::KernelFault*> seen;
  for (const auto& said : said_of_faults()) {
    const auto hit = all.find(said.line);
    ASSERT_TRUE(hit) << said.line;
    EXPECT_EQ(hit->row->fault, said.fault) << said.line;
    for (const auto& [name, value] : said.labels)
      if (name != "pci" && name != "gpu" && name != "nic") {  // which the check spells and finds out
        EXPECT_EQ(hit->labels.contains(name) ? hit->labels.at(name) : "", value) << name << " of " << said.line;
      }
    seen.insert(hit->row);
  }
  for (const auto& line : harmless())
    if (const auto hit = all.find(line)) {
      EXPECT_TRUE(hit->row->fault.empty() && !hit->row->is_unknown) << line;
      seen.insert(hit->row);
    }
  const auto document = messages();
  for (const std::string line : document.at("unknown")) {
    const auto hit = all.find(line);
    ASSERT_TRUE(hit) << line;
    EXPECT_TRUE(hit->row->is_unknown) << line;
    seen.insert(hit->row);
  }
  for (const auto& row : all.rows()) EXPECT_TRUE(seen.contains(&row)) << "no line for: " << row.pattern;
}

TEST(KernelLogCatalogue, WhatARowEndsOrFollowsFromIsAFault) {
  std::set<std::string> codes;
  const auto all = catalogue();
  for (const auto& row : all.rows()) codes.insert(row.fault);
  for (const auto& row : all.rows())
    for (const auto* list : {&row.ends, &row.consequence_of})
      for (const auto& code : *list) EXPECT_TRUE(codes.contains(code)) << code << " of " << row.pattern;
}

TEST(KernelLogCatalogue, EachFaultIsInTheTable) {
  const auto all = catalogue();
  for (const auto& row : all.rows()) EXPECT_TRUE(row.fault.empty() || faults().find(row.fault) != nullptr) << row.fault;
}

}  // namespace
}  // namespace muster::tests
