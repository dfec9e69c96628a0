// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/turn.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <system_error>
#include <thread>

#include "healthcheck/program/error.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using healthcheck::Gate;
using healthcheck::Turn;

TEST(Turn, ComesWhenItIsGiven) {
  const TemporaryFolder folder;
  const Gate gate(folder.path() / "turn");
  const Turn turn(folder.path() / "turn");
  EXPECT_FALSE(turn.has_come());
  std::atomic<bool> came = false;
  std::jthread waiting([&] {
    turn.await();
    came = true;
  });
  EXPECT_FALSE(came);
  gate.give_turn();
  waiting.join();
  EXPECT_TRUE(came);
  EXPECT_TRUE(turn.has_come());
}

TEST(Turn, ComesWhenNobodyIsLeftToGiveIt) {
  const TemporaryFolder folder;
  std::optional<Gate> gate(std::in_place, folder.path() / "turn");
  const Turn turn(folder.path() / "turn");
  gate.reset();
  EXPECT_TRUE(turn.has_come());
}

TEST(Turn, IsOfAFileThatIsThereAndAGateOfOneThatIsNot) {
  const TemporaryFolder folder;
  EXPECT_THROW(Turn(folder.path() / "turn"), healthcheck::UsageError);
  const Gate gate(folder.path() / "turn");
  EXPECT_THROW(Gate(folder.path() / "turn"), std::system_error);
}

}  // namespace
}  // namespace muster::tests
