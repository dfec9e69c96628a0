// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/report_inbox.hpp"

#include <fmt/format.h>

#include <chrono>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "results/system/file.hpp"
#include "results/system/random_word.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds time_to_deliver{10};
constexpr std::size_t enough_to_send = std::size_t{16} << 10;
constexpr std::size_t largest_text = std::size_t{256} << 20;
constexpr std::string_view welcome_to_inbox = "muster letterbox";
constexpr std::string_view received = "received";
constexpr std::string_view last_word = "end ";

std::string greeting_of(std::string_view word) { return fmt::format("muster report {}", word); }

// No line of a JSON text is like it.
std::string last_line_of(const std::string& text) { return std::string(last_word) + results::sha256(text); }

}  // namespace

ReportInbox::ReportInbox(const std::string& only) : listener_(only) {
  const auto word = results::random_word() + results::random_word();
  greeting_ = greeting_of(word);
  address_ = fmt::format("{} {}", word, listener_.address());
}

std::string ReportInbox::port() const {
  const auto& address = listener_.address();
  return address.substr(0, address.find(' '));
}

std::vector<int> ReportInbox::descriptors() const {
  std::vector<int> all{listener_.descriptor()};
  for (const auto& sender : senders_) all.push_back(sender.connection.descriptor());
  return all;
}

std::vector<std::string> ReportInbox::take() {
  for (auto& connection : listener_.accept()) senders_.push_back({.connection = std::move(connection)});
  std::vector<std::string> texts;
  for (auto& sender : senders_)
    if (auto heard = hear(sender)) texts.push_back(std::move(*heard));
  std::erase_if(senders_, [](const Sender& sender) {
    return !sender.welcome || sender.connection.ended() || sender.text.size() > largest_text;
  });
  return texts;
}

std::optional<std::string> ReportInbox::hear(Sender& sender) {
  for (const auto& line : sender.connection.receive()) {
    if (!sender.greeted) {
      sender.welcome = line == greeting_;
      if (!sender.welcome) return std::nullopt;
      sender.greeted = true;
      sender.connection.send(welcome_to_inbox);
    } else if (line.starts_with(last_word) && line == last_line_of(sender.text)) {
      sender.connection.send(received);
      return std::exchange(sender.text, {});
    } else {
      sender.text += line + '\n';
    }
  }
  return std::nullopt;
}

void send_report(const std::string& text, const std::string& address) {
  const auto space = address.find(' ');
  if (space == std::string::npos) throw std::system_error(EINVAL, std::generic_category(), address);
  const auto end = Clock::now() + time_to_deliver;
  auto connection = connect(address.substr(space + 1), greeting_of(address.substr(0, space)), welcome_to_inbox);
  const auto send = [&](std::string_view lines) {
    connection.send(lines);
    if (!connection.flush_until(end)) throw std::system_error(ETIMEDOUT, std::generic_category(), "it is not taken");
  };
  std::string waiting;  // many lines go at once, which saves both ends most of their work
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); waiting += line + '\n') {
    if (waiting.size() < enough_to_send) continue;
    send(waiting.substr(0, waiting.size() - 1));
    waiting.clear();
  }
  send(waiting + last_line_of(text));
  connection.wait_until(end);
  const auto answer = connection.receive();
  if (answer.empty() || answer.front() != received)
    throw std::system_error(EPROTO, std::generic_category(), "it did not arrive whole");
}

}  // namespace muster::healthcheck
