// SPDX-License-Identifier: Apache-2.0
#include "results/values/verdict.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster::results {
namespace {

std::vector<Verdict> verdicts(std::initializer_list<Status> statuses) {
  std::vector<Verdict> list;
  for (const Status status : statuses) list.emplace_back().status = status;
  return list;
}

TEST(Verdict, TheWorstStatusWins) {
  EXPECT_EQ(worst(verdicts({Status::pass, Status::fail, Status::unknown})), Status::fail);
  EXPECT_EQ(worst(verdicts({Status::warn, Status::unknown, Status::pass})), Status::unknown);
  EXPECT_EQ(worst(verdicts({Status::pass, Status::warn, Status::skip})), Status::warn);
  EXPECT_EQ(worst(verdicts({Status::skip, Status::pass})), Status::pass);
  EXPECT_EQ(worst({}), Status::skip);
}

TEST(Verdict, OnlyPassAndWarnExitWithZero) {
  EXPECT_EQ(exit_code(Status::pass), 0);
  EXPECT_EQ(exit_code(Status::warn), 0);
  EXPECT_EQ(exit_code(Status::fail), 1);
  EXPECT_EQ(exit_code(Status::unknown), 3);
  EXPECT_EQ(exit_code(Status::skip), 3);
}

TEST(Verdict, EveryStatusIsFoundByItsName) {
  for (const Status status : {Status::skip, Status::pass, Status::warn, Status::unknown, Status::fail})
    EXPECT_EQ(status_from(to_text(status)), status);
  EXPECT_EQ(status_from("ok"), std::nullopt);
}

TEST(Measurement, LabelsReadAsAList) {
  EXPECT_EQ(to_text(Labels{{"numa", "0"}, {"gpu", "3"}}), "gpu 3, numa 0");
  EXPECT_EQ(to_text(Labels{}), "");
}

TEST(Measurement, ValuesAreTextsOrQuantities) {
  EXPECT_EQ(to_text(Value("28.39.1002")), "28.39.1002");
  EXPECT_EQ(to_text(Value(Quantity{8, Unit::one})), "8");
}

}  // namespace
}  // namespace muster::results
