// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/calibrate_origin.hpp"

#include "tests/healthcheck/judge/calibrating.hpp"

namespace muster::healthcheck {
namespace {

using results::Status;

TEST(Calibrate, RefusesWhatIsNotHealthyOrNotAlike) {
  EXPECT_EQ(refusal({three[0]}, {.name = "p"}),
            "one run does not tell how runs differ; give three, or the thresholds by --pass and --fail");
  EXPECT_EQ(refusal({}), "there is no report to calibrate from; name at least one");
  auto reports = three;
  reports[1].status = Status::fail;
  reports[1].summary = "1 check failed";
  EXPECT_EQ(refusal(reports), "run 2 failed (1 check failed); calibrate from healthy runs only");
  auto named = wide;
  named.files = {"a.json", "b.json", "c.json"};
  reports[1].checks[0].verdicts = {{.status = Status::fail, .fault = "slower_than_calibrated"}};
  EXPECT_EQ(
      refusal(reports, named),
      "b.json: run 2 failed (1 check failed); calibrate from healthy runs only; it failed by an older calibration "
      "alone, so if it is healthy judge it by another profile first: muster judge b.json --profile generic "
      "--report healthy.json");
  reports = three;
  reports[2].hosts[0].fingerprint["cpu_model"] = "EPYC";
  EXPECT_EQ(refusal(reports), "run 3 is of another kind of machine ('EPYC') than run 1 ('Xeon'); calibrate each alone");
  reports = {three[0]};
  reports[0].checks.clear();
  EXPECT_EQ(refusal(reports), "these reports hold no rate and no time to calibrate from; run an active check first");
  auto busy = three[0];
  busy.checks[0].outcome = results::Outcome::error;
  busy.checks[0].reason = "in use: fio";
  busy.checks[0].measurements.clear();
  EXPECT_EQ(
      refusal({busy}),
      "these reports hold no rate and no time to calibrate from (host_memory: in use: fio); measure again without "
      "that, or with --even-if-in-use");
  reports = {three[0], three[0]};
  EXPECT_EQ(refusal(reports), "run 1 is given twice; measure again instead");
  reports = {three[0], three[1]};
  reports[1].hosts[0].name = "other";
  EXPECT_EQ(refusal(reports), "run 2 is of host other and run 1 of host node; calibrate each alone");
  const auto thresholds = [](std::optional<double> pass, std::optional<double> fail) {
    return Calibration{.name = "p", .pass = pass, .fail = fail, .without = {}};
  };
  EXPECT_TRUE(refusal(three, thresholds(0.4, 0.6)).starts_with("the thresholds pass 0.4 and fail 0.6"));
  EXPECT_EQ(refusal(three, thresholds(0.4, {})), "give both --pass and --fail, or neither");
  EXPECT_EQ(refusal(three, Calibration{}), "--name is empty; give the profile a name");
}

}  // namespace
}  // namespace muster::healthcheck
