// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/retry.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace muster::tests::fleet {
namespace {

using namespace healthcheck::fleet;

TEST(Patience, AnAttemptThatTheEndBrokeOffDoesNotHideTheOneBefore) {
  healthcheck::Stop stop;
  std::vector<std::string> told;
  int attempts = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  const auto ask = [&] {
    if (++attempts == 1) throw TryAgain("more than 16 MiB");
    std::this_thread::sleep_until(end);
    throw TryAgain("timed out");
  };
  const auto setback = retry_until(ask, stop, end, [&](const RequestFailure& each) { told.push_back(each.reason); });
  ASSERT_TRUE(setback);
  EXPECT_EQ(setback->reason, "more than 16 MiB");
  EXPECT_EQ(told, std::vector<std::string>{"more than 16 MiB"});
}

// Limits of requests are whole milliseconds, so that they may end before the time is up.
TEST(Patience, AnAttemptThatTheEndBrokeOffALittleEarlyDoesNotHideTheOneBefore) {
  healthcheck::Stop stop;
  int attempts = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  const auto ask = [&] {
    if (++attempts == 1) throw TryAgain("answers 503");
    std::this_thread::sleep_until(end - std::chrono::milliseconds(4));
    throw TryAgain("timed out");
  };
  const auto setback = retry_until(ask, stop, end, [](const RequestFailure&) {});
  ASSERT_TRUE(setback);
  EXPECT_EQ(setback->reason, "answers 503");
}

TEST(Patience, TheOnlyAttemptIsTold) {
  healthcheck::Stop stop;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  const auto ask = [&] {
    std::this_thread::sleep_until(end);
    throw TryAgain("timed out");
  };
  const auto setback = retry_until(ask, stop, end, [](const RequestFailure&) {});
  ASSERT_TRUE(setback);
  EXPECT_EQ(setback->reason, "timed out");
}

TEST(FailureNews, OfALookThatTheEndBrokeOffALittleEarlyAreNone) {
  healthcheck::Stop stop;
  const RequestFailure setback{.reason = "timed out"};
  FailureNews soon(stop, std::chrono::steady_clock::now() + std::chrono::milliseconds(5));
  EXPECT_TRUE(soon.is(setback)) << "it is all that is known";
  EXPECT_FALSE(soon.is(setback));
  FailureNews later(stop, std::chrono::steady_clock::now() + std::chrono::hours(1));
  EXPECT_TRUE(later.is(setback));
  EXPECT_TRUE(later.is(setback));
}

}  // namespace
}  // namespace muster::tests::fleet
