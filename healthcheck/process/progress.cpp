// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "healthcheck/program/streams.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view clear_line = "\r\033[K";

// A line that wraps cannot be rewritten.
std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string status_line(const std::vector<Elapsed>& running, std::size_t done, std::size_t all) {
  std::string text;
  for (const Elapsed& each : running)
    text += fmt::format("{}{} {:.1f} s", text.empty() ? "" : ", ", each.name, each.seconds);
  return fmt::format("{}{}{} of {} done", text, text.empty() ? "" : " | ", done, all);
}

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) tell(clear_line);
}

results::Colour Progress::colour() const { return view_of(STDERR_FILENO).colour; }

void Progress::line(std::string_view text) {
  if (quiet_) return;
  tell(fmt::format("{}{}\n", shown_ ? clear_line : "", text));
  shown_ = false;
}

void Progress::status(std::string_view text) {
  if (!live()) return;
  tell(fmt::format("{}{}", clear_line, text.substr(0, columns() - 1)));
  shown_ = true;
}

}  // namespace muster::healthcheck
