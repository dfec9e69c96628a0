// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/start_watch.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "healthcheck/process/connection.hpp"
#include "tests/support/full_listener.hpp"

namespace muster::healthcheck {
namespace {

using namespace std::chrono_literals;

// What a watch gives up with, within that time; it then waits for its end, as one of a process that ends.
std::string given_up(const StartWatch::Job& job, Signals* told_to_stop, std::chrono::milliseconds time) {
  std::promise<std::string> said;
  auto words = said.get_future();
  bool is_said = false;
  StartWatch watch(job, told_to_stop, [&](const std::string& text) {
    if (!is_said) said.set_value(text);
    is_said = true;
  });
  const bool has_come = words.wait_for(time) == std::future_status::ready;
  watch.end();
  return has_come ? words.get() : "";
}

std::string port_of(const Listener& listener) { return listener.address().substr(0, listener.address().find(' ')); }

TEST(StartWatch, NamesAHostThatCannotBeReached) {
  // No connection of TCP goes to all hosts of a network.
  const auto words =
      given_up({.network = "eth0 (10.0.0.4)", .port = "22", .hosts = 2, .next = "255.255.255.255", .patience = 400ms},
               nullptr, 8s);
  EXPECT_NE(words.find("255.255.255.255 cannot be reached over eth0 (10.0.0.4) (port 22: "), std::string::npos)
      << words;
  EXPECT_NE(words.find("--interface"), std::string::npos);
}

TEST(StartWatch, TakesARefusalForAnAnswer) {
  EXPECT_EQ(given_up({.network = "lo", .port = "1", .hosts = 2, .next = "127.0.0.1", .patience = 400ms}, nullptr, 1s),
            "");
}

TEST(StartWatch, AsksNoSshServerOfAHostThatRefusesAnotherPort) {
  Listener ssh("127.0.0.1");
  EXPECT_EQ(given_up({.network = "lo", .port = port_of(ssh), .hosts = 2, .next = "127.0.0.1"}, nullptr, 600ms), "");
  EXPECT_TRUE(ssh.accept().empty());
}

TEST(StartWatch, AsksTheSshServerBehindAFirewall) {
  tests::FullListener dropped;
  dropped.fill();
  Listener ssh("127.0.0.1");
  EXPECT_EQ(given_up({.network = "lo",
                      .port = port_of(ssh),
                      .idle_port = dropped.port(),
                      .hosts = 2,
                      .next = "127.0.0.1",
                      .patience = 400ms},
                     nullptr, 1500ms),
            "");
  EXPECT_EQ(ssh.accept().size(), 1);
}

TEST(StartWatch, SaysWhatItWaitedForWhenItIsToldToStop) {
  Signals signals{SIGUSR1};
  kill(getpid(), SIGUSR1);
  const auto words = given_up({.network = "eth0 (10.0.0.4)", .port = "22"}, &signals, 8s);
  EXPECT_NE(words.find("over eth0 (10.0.0.4), when the job was told to stop"), std::string::npos) << words;
}

TEST(StartWatch, NamesAHostThatDoesNotAnswerMpi) {
  tests::FullListener full;
  full.fill();
  const auto words = given_up({.network = "eth0 (10.0.0.4)", .port = "22", .hosts = 2}, nullptr, 8s);
  EXPECT_TRUE(words.starts_with("127.0.0.1 cannot be reached over lo (127.0.0.1) (port " + full.port() + ": "))
      << words;
  EXPECT_NE(words.find("--interface"), std::string::npos) << words;
}

TEST(StartWatch, WaitsForAConnectionThatIsYoung) {
  tests::FullListener full;
  full.fill();
  EXPECT_EQ(given_up({.network = "eth0 (10.0.0.4)", .port = "22", .hosts = 2}, nullptr, 1500ms), "");
}

TEST(StartWatch, SaysOnceThatItStillWaits) {
  std::atomic<int> count = 0;
  EXPECT_EQ(given_up({.network = "lo", .port = "22", .still_waits = [&] { ++count; }}, nullptr, 2500ms), "");
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace muster::healthcheck
