// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/tell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "healthcheck/program/deadline.hpp"
#include "healthcheck/tell/notes.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Clock = std::chrono::steady_clock;
using End = Attempt::End;
using Say = std::function<void(const std::string&)>;

constexpr double first_pause = 1;

class Telling {
 public:
  Telling(const Listener& listener, const Message& message, const TellOptions& wanted, Stop& stop, const Say& say,
          const Say& warn)
      : listener_(listener),
        message_(message),
        wanted_(wanted),
        stop_(stop),
        say_(say),
        warn_(warn),
        end_(Clock::now() + ticks(wanted.wait_seconds)) {
    if (wanted.state) note_.emplace(*wanted.state, listener.url, message.id);
  }

  bool run() {
    if (note_ && note_->state() == Note::State::told) {
      say_(fmt::format("{}: the listener was told of {} before", listener_.name, message_.id));
      return true;
    }
    if (note_ && note_->state() == Note::State::sending && !wanted_.again_when_in_doubt)
      return fail(
          "an earlier run ended while it told of this night, which may have arrived: "
          "--when-in-doubt again tells it again");
    double pause = first_pause;
    for (std::size_t i = 1;; ++i, pause *= 2) {
      const auto attempt = post(listener_, message_, end_, stop_, [this] { note(Note::State::sending); });
      if (attempt.end == End::told) return told();
      if (attempt.end == End::later || attempt.end == End::refused) forget();
      if (const auto why = why_not_again(attempt, i, std::max(pause, attempt.after_seconds)); !why.empty())
        return fail(fmt::format("{}; {}", attempt.why, why));
      stop_.wait_until(Clock::now() + ticks(std::max(pause, attempt.after_seconds)));
      if (stop_.is_told()) return fail(attempt.why + "; a signal ended the wait");
    }
  }

 private:
  void note(Note::State state) {
    if (note_) note_->write(state);
  }

  // What was not taken need not be remembered; what cannot be forgotten is in doubt next time.
  void forget() {
    try {
      if (note_ && note_->state() == Note::State::sending) note_->write(Note::State::none);
    } catch (const std::exception& error) {
      warn_(error.what());
    }
  }

  bool told() {
    try {
      note(Note::State::told);
    } catch (const std::exception& error) {
      warn_(fmt::format("{}: the listener was told, and that cannot be noted: {}", listener_.name, error.what()));
    }
    say_(fmt::format("{}: the listener was told of {}", listener_.name, message_.id));
    return true;
  }

  bool fail(const std::string& why) {
    warn_(fmt::format("{}: the listener was not told: {}", listener_.name, why));
    return false;
  }

  // Nothing where there is another attempt after that pause.
  std::string why_not_again(const Attempt& attempt, std::size_t tries, double pause) {
    if (attempt.end == End::refused) return "it is not asked again";
    if (attempt.end == End::in_doubt && !wanted_.again_when_in_doubt)
      return "it may have arrived, so it is not sent again; --when-in-doubt again sends it";
    if (stop_.is_told()) return "a signal ended it";
    if (tries >= wanted_.tries) return fmt::format("that was the last of {} tries", wanted_.tries);
    if (Clock::now() + ticks(pause) >= end_)
      return fmt::format("the next try would be in {:g} s, after the {:g} s of --wait", pause, wanted_.wait_seconds);
    return "";
  }

  const Listener& listener_;
  const Message& message_;
  const TellOptions& wanted_;
  Stop& stop_;
  const Say& say_;
  const Say& warn_;
  Clock::time_point end_;
  std::optional<Note> note_;
};

}  // namespace

bool tell_listener(const Listener& listener, const Message& message, const TellOptions& wanted, Stop& stop,
                   const Say& say, const Say& warn) {
  return Telling(listener, message, wanted, stop, say, warn).run();
}

}  // namespace muster::healthcheck::fleet
