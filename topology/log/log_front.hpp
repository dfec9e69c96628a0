// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::topology {

// What a line of a log is.
enum class LineKind {
  message,
  other,      // belongs to the log, and is no message of the kernel: of another program, a bracket of JSON
  boot,       // "-- Reboot --": what follows is of another boot
  partial,    // a message whose rest is in the next line
  continued,  // indented and without a front: a further line of the message before, or what the ring knows of it
};

// A line of a log, taken apart.
struct LogLine {
  LineKind kind = LineKind::message;
  bool has_front = false;
  std::optional<std::uint64_t> sequence{};  // of the ring
  std::optional<double> seconds{};          // since boot
  std::optional<double> date{};             // seconds since 1970, UTC
  std::optional<double> after_last{};       // seconds since the message before
  std::string_view text{};                  // what the kernel said
};

// Without all that stands in front of a message: what the ring, dmesg, syslog, journalctl, containers, Kubernetes and
// Talos put there, one in the other. `written`: about when the log ends, for dates without a year.
LogLine without_front(std::string_view line, double written);

// The front of a record of the ring alone ("6,339,5140900,-;"): whether the line has it, which then is taken off.
bool take_record(LogLine& line);

// Whether it has escape sequences of a terminal, and without them.
bool has_colours(std::string_view line);
std::string without_colours(std::string_view line);

// "\x0a" of the ring and "#012" of syslog are the line breaks that they stand for.
std::string without_escapes(std::string_view text);

}  // namespace muster::topology
