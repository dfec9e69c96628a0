// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/report_inbox.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

namespace muster::healthcheck {
namespace {

std::optional<std::string> taken(ReportInbox& box, std::chrono::milliseconds patience = std::chrono::seconds(10)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    if (auto texts = box.take(); !texts.empty()) return texts.front();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return std::nullopt;
}

TEST(ReportInbox, TakesATextWholeHoweverLargeItIs) {
  ReportInbox box("");
  std::string text;
  for (int line = 0; line < 100'000; ++line) text += "  \"line\": " + std::to_string(line) + ",\n";
  std::jthread sender([&] { send_report(text, box.address()); });
  EXPECT_EQ(taken(box), text);
}

TEST(ReportInbox, OfOneAddressIsReachedThereAlone) {
  ReportInbox box("127.0.0.1");
  EXPECT_TRUE(box.address().ends_with(" 127.0.0.1"));
  std::jthread sender([&] { send_report("{}\n", box.address()); });
  EXPECT_EQ(taken(box), "{}\n");
  const auto elsewhere = box.address().substr(0, box.address().rfind(' ')) + " 127.0.0.2";
  EXPECT_THROW(send_report("{}\n", elsewhere), std::system_error);
}

TEST(ReportInbox, TakesSeveral) {
  ReportInbox box("");
  for (const std::string text : {"{}\n", "{\n}\n"}) {
    std::jthread sender([&] { send_report(text, box.address()); });
    EXPECT_EQ(taken(box), text);
  }
}

TEST(ReportInbox, TakesNothingFromWhoDoesNotKnowItsWord) {
  ReportInbox box("");
  const auto address = "0123" + box.address().substr(box.address().find(' '));
  std::string problem;
  std::jthread sender([&] {
    try {
      send_report("{}\n", address);
    } catch (const std::system_error& error) {
      problem = error.what();
    }
  });
  EXPECT_EQ(taken(box, std::chrono::seconds(3)), std::nullopt);
  sender.join();
  EXPECT_FALSE(problem.empty());
}

TEST(ReportInbox, TakesNothingThatDidNotComeWhole) {
  ReportInbox box("");
  const auto word = box.address().substr(0, box.address().find(' '));
  const auto address = box.address().substr(word.size() + 1);
  std::jthread sender([&] {
    auto connection = connect(address, "muster report " + word, "muster letterbox");
    connection.send("{");
    connection.send("end 0000");
    connection.flush_until(std::chrono::steady_clock::now() + std::chrono::seconds(1));
  });
  EXPECT_EQ(taken(box, std::chrono::seconds(2)), std::nullopt);
}

TEST(ReportInbox, IsReachedByNobodyOnceItIsGone) {
  const auto address = [] { return ReportInbox("").address(); }();
  EXPECT_THROW(send_report("{}\n", address), std::system_error);
  EXPECT_THROW(send_report("{}\n", "no address"), std::system_error);
}

}  // namespace
}  // namespace muster::healthcheck
