// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/job_end.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "healthcheck/program/streams.hpp"
#include "healthcheck/run/start_letter.hpp"
#include "healthcheck/run/start_watch.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds time_for_last_words{2};
// mpirun of Open MPI 5.0 sometimes waits for ever for ranks that have ended (openpmix/prrte #1839).
constexpr std::chrono::seconds time_to_end{2};
constexpr std::chrono::milliseconds time_to_end_without_report{300};

// mpirun, which may yet say why it told a rank to stop, has nothing to add where that gave up by itself.
Clock::duration time_after(std::string_view letter) {
  const bool gave_up = letter.starts_with(start_of_checks) && letter.find(words_when_told_to_stop) == letter.npos;
  return gave_up ? Clock::duration(time_to_end_without_report) : time_to_end;
}

std::string words_of_shared(const std::string& one, const std::string& other, const std::vector<std::string>& told) {
  return fmt::format(
      "{} and {} have the same address {} on the network that MPI is to use (--interface, or btl_tcp_if_include), and "
      "cannot reach each other there; name another with --interface",
      one, other, fmt::join(told, " "));
}

// In the form of what checks say.
std::string as_letter(const std::string& words) { return fmt::format("{}launch: {}\n", start_of_checks, words); }

// Until one of them can be read, or for 10 ms; whether that is the first.
bool can_read_first(const std::vector<int>& descriptors) {
  std::vector<pollfd> wanted;
  for (const int each : descriptors) wanted.push_back({.fd = each, .events = POLLIN, .revents = 0});
  poll(wanted.data(), wanted.size(), 10);
  return wanted.front().revents != 0;
}

// What has come of a job so far.
class Letters {
 public:
  Letters(ReportInbox& inbox, WayBack* way_back) : inbox_(inbox), way_back_(way_back) {}

  // Without waiting.
  void look() {
    for (auto& come : inbox_.take())
      if (auto waits = read_letter_of_waiting(come))
        hear(std::move(*waits));
      else
        keep(std::move(come));
    const auto words = way_back_ == nullptr ? std::nullopt : way_back_->why_none();
    if (words) keep(as_letter(*words));
  }

  // Once after the first letter: mpirun has not ended in the time that it has then.
  bool is_stuck() {
    if (Clock::now() <= patience_ends_) return false;
    patience_ends_ = Clock::time_point::max();
    return true;
  }

  bool has_come() const { return letter_.has_value(); }

  JobEnd with(ProcessExit ending, bool was_stuck) && {
    if (!shared_.empty()) ending.said.insert(0, as_letter(shared_));
    return {.ending = std::move(ending),
            .letter = std::move(letter_),
            .was_stuck = was_stuck,
            .waiting = std::move(waiting_)};
  }

 private:
  void keep(std::string letter) {
    if (letter_) return;
    patience_ends_ = Clock::now() + time_after(letter);
    letter_ = std::move(letter);
  }

  void hear(WaitingHost host) {
    const auto name = host.addresses.empty() ? "a host" : host.addresses.front();
    const auto [other, is_first] = told_.emplace(host.told, name);
    if (!is_first && other->second != name && !host.told.empty() && shared_.empty()) {
      shared_ = words_of_shared(other->second, name, host.told);
      tell(fmt::format("muster launch: {}\n", shared_));
    }
    waiting_.push_back(std::move(host.addresses));
  }

  ReportInbox& inbox_;
  WayBack* way_back_;
  Clock::time_point patience_ends_ = Clock::time_point::max();
  std::optional<std::string> letter_;
  std::vector<std::vector<std::string>> waiting_;
  std::map<std::vector<std::string>, std::string> told_;  // hosts by the addresses that MPI is to use
  std::string shared_;                                    // why that cannot be
};

}  // namespace

JobEnd wait_for_end(Guard& mpirun, ReportInbox& inbox, WayBack* way_back, Signals& signals) {
  Letters letters(inbox, way_back);
  bool was_stuck = false;
  for (bool has_ended = false; !has_ended;) {
    auto descriptors = inbox.descriptors();
    descriptors.insert(descriptors.begin(), {mpirun.descriptor(), signals.descriptor()});
    has_ended = can_read_first(descriptors);
    letters.look();
    const bool is_stuck = letters.is_stuck();
    if (signals.next() || is_stuck) mpirun.stop();
    was_stuck = was_stuck || is_stuck;
  }
  auto ending = mpirun.ending();
  // mpirun does not wait for the last words of ranks that it was told to end.
  const auto last = Clock::now() + (ending.kind == ProcessExit::Kind::exited ? Clock::duration{} : time_for_last_words);
  for (letters.look(); !letters.has_come() && Clock::now() < last; letters.look())
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return std::move(letters).with(std::move(ending), was_stuck);
}

}  // namespace muster::healthcheck
