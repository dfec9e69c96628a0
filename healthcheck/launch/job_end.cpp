// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/job_end.hpp"

#include <poll.h>

#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

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

// Until one of them can be read, or for 10 ms; whether that is the first.
bool can_read_first(const std::vector<int>& descriptors) {
  std::vector<pollfd> wanted;
  for (const int each : descriptors) wanted.push_back({.fd = each, .events = POLLIN, .revents = 0});
  poll(wanted.data(), wanted.size(), 10);
  return wanted.front().revents != 0;
}

}  // namespace

JobEnd wait_for_end(Guard& mpirun, ReportInbox& inbox, Signals& signals) {
  JobEnd end;
  auto patience_ends = Clock::time_point::max();
  const auto look = [&] {
    for (auto& come : inbox.take())
      if (auto waits = read_letter_of_waiting(come)) {
        end.waiting.push_back(std::move(*waits));
      } else if (!end.letter) {
        patience_ends = Clock::now() + time_after(come);
        end.letter = std::move(come);
      }
  };
  for (bool has_ended = false; !has_ended;) {
    auto descriptors = inbox.descriptors();
    descriptors.insert(descriptors.begin(), {mpirun.descriptor(), signals.descriptor()});
    has_ended = can_read_first(descriptors);
    look();
    const bool is_stuck = Clock::now() > patience_ends;
    if (signals.next() || is_stuck) mpirun.stop();
    if (is_stuck) patience_ends = Clock::time_point::max();
    end.was_stuck = end.was_stuck || is_stuck;
  }
  end.ending = mpirun.ending();
  // mpirun does not wait for the last words of ranks that it was told to end.
  const auto last =
      Clock::now() + (end.ending.kind == ProcessExit::Kind::exited ? Clock::duration{} : time_for_last_words);
  for (look(); !end.letter && Clock::now() < last; look()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return end;
}

}  // namespace muster::healthcheck
