// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/run_with_evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <filesystem>
#include <functional>
#include <utility>

#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

class Meddler final : public Check {
 public:
  explicit Meddler(std::function<void()> meddle) : meddle_(std::move(meddle)) {}
  Description describe() const override { return {.name = "meddler", .summary = "", .resources = {}}; }
  void run(Context& context) override {
    context.add("meddler.measured", results::count(1));
    meddle_();
  }

 private:
  std::function<void()> meddle_;
};

class Bracket : public testing::Test {
 protected:
  Bracket() {
    tree_.write("proc/version", "Linux\n");
    tree_.write(errors, "TOTAL_ERR_FATAL 3\n");
    tree_.write(downed, "6\n");
  }

  results::CheckRun run(const std::function<void()>& meanwhile) {
    Meddler check(meanwhile);
    results::CheckRun run;
    const Context::Record nowhere = [](const results::CheckRun&) {};
    Context context({.sysfs = topology::Sysfs(tree_.path())}, run, nowhere);
    came_back_ = run_with_evidence(check, context, run, nowhere);
    EXPECT_EQ(run.measurements.size(), 1u) << "whatever the counters say, the check ran";
    return run;
  }

  static constexpr auto errors = "sys/bus/pci/devices/0000:01:00.0/aer_dev_fatal";
  static constexpr auto downed = "sys/class/infiniband/mlx5_0/ports/1/counters/link_downed";
  tests::TemporaryFolder tree_;
  bool came_back_ = false;
};

TEST_F(Bracket, TellsHowMuchCountersGrew) {
  const auto grew = run([&] { tree_.write(downed, "8\n"); });
  EXPECT_EQ(grew.outcome, results::Outcome::finished);
  ASSERT_EQ(grew.evidence.size(), 2u);
  const auto found = std::ranges::find(grew.evidence, "infiniband.link_downed", &results::Delta::metric);
  ASSERT_NE(found, grew.evidence.end());
  EXPECT_EQ(found->after - found->before, 2);
}

TEST_F(Bracket, ADeviceThatVanishesMeanwhileMakesTheCheckAnError) {
  const auto vanished = run([&] { std::filesystem::remove_all(tree_.path() / "sys/class/infiniband/mlx5_0"); });
  EXPECT_EQ(vanished.outcome, results::Outcome::error);
  EXPECT_TRUE(came_back_) << "a job need not end for it";
  EXPECT_EQ(vanished.reason,
            "infiniband.link_downed (nic mlx5_0, port 1) could not be read again: it was there when the check began");
  EXPECT_EQ(vanished.evidence.size(), 1u) << "the other counter was read twice";
}

TEST_F(Bracket, ACounterFileThatHoldsRubbishCostsItsOwnEvidenceAlone) {
  tree_.write(errors, "rubbish\n");
  const auto rubbish = run([] {});
  EXPECT_EQ(rubbish.outcome, results::Outcome::finished);
  ASSERT_EQ(rubbish.evidence.size(), 1u) << "the other counter is as good as ever";
  EXPECT_EQ(rubbish.evidence[0].metric, "infiniband.link_downed");
}

TEST_F(Bracket, WhatTheCheckSaysOfItselfComesFirst) {
  const auto broken = run([&] {
    tree_.write(errors, "rubbish\n");
    throw std::runtime_error("its own words");
  });
  EXPECT_EQ(broken.outcome, results::Outcome::error);
  EXPECT_EQ(broken.reason, "its own words");
  EXPECT_FALSE(came_back_);
}

}  // namespace
}  // namespace muster::healthcheck
