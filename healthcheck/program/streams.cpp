// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "healthcheck/program/descriptor.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/error.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr int bad_usage = 2;
constexpr int unknown = 3;
constexpr std::size_t min_columns = 40;

// A closed stream stays one that cannot be written.
void occupy_standard_descriptors() {
  int number = open("/dev/null", O_RDONLY);
  while (number >= 0 && number <= STDERR_FILENO) number = open("/dev/null", O_RDONLY);
  if (number > STDERR_FILENO) close(number);
}

// A handler, for a signal that is ignored would be ignored by every program that is started, too.
void fail_writes_instead(int number) {
  struct sigaction before {};
  if (sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

std::string lost(std::string_view program, std::string_view stream, int error) {
  return fmt::format("{}: {} cannot be written: {}\n", program, stream, std::generic_category().message(error));
}

// A stream keeps that it failed, and not why.
int why_lost(int descriptor) { return write(descriptor, "\n", 1) < 0 ? errno : EIO; }

int lost_stdout(std::string_view program, int error) {
  tell(lost(program, "stdout", error));
  return unknown;
}

// After a document stdout takes no more, and this sentence neither.
int lost_stderr(std::string_view program) {
  std::fputs(lost(program, "stderr", why_lost(STDERR_FILENO)).c_str(), stdout);
  std::fflush(stdout);
  return unknown;
}

}  // namespace

int with_streams(std::string_view program, const std::function<int()>& body) {
  occupy_standard_descriptors();
  fail_writes_instead(SIGPIPE);
  fail_writes_instead(SIGXFSZ);
  try {
    return flushed(program, body());
  } catch (const std::exception& error) {
    const auto* of_system = dynamic_cast<const std::system_error*>(&error);
    if (std::ferror(stdout) != 0 && of_system != nullptr) return lost_stdout(program, of_system->code().value());
    tell(fmt::format("{}: {}\n", program, results::printable(in_words(error))));
    const bool of_machine = dynamic_cast<const results::Failure*>(&error) != nullptr ||
                            dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    return flushed(program, of_machine ? unknown : bad_usage);
  }
}

int flushed(std::string_view program, int code) {
  if (std::fflush(stdout) != 0) return lost_stdout(program, errno);
  if (std::ferror(stdout) != 0) return lost_stdout(program, why_lost(STDOUT_FILENO));
  return std::ferror(stderr) != 0 ? lost_stderr(program) : code;
}

std::string in_words(const std::exception& error) {
  if (const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return fmt::format("{}: {}", of_file->path1().string(), of_file->code().message());
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "there is not enough memory";
  return error.what();
}

void tell(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void print_now(std::string_view text) {
  fmt::print("{}", text);
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "stdout cannot be written");
}

void print_document(std::string_view text) {
  print_now(text);
  const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  dup2(nothing.number(), STDOUT_FILENO);
}

results::View view_of(int descriptor) {
  results::View view;
  winsize size{};
  if (isatty(descriptor) == 0) {
    const char* wanted = std::getenv("COLUMNS");
    if (const auto columns = topology::whole_number(wanted == nullptr ? "" : wanted); columns && *columns > 0)
      view.columns = std::max<std::size_t>(static_cast<std::size_t>(*columns), min_columns);
    return view;
  }
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return view;
  view.columns = std::max<std::size_t>(size.ws_col, min_columns);
  const char* terminal = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  const bool is_unwanted = no_colour != nullptr && *no_colour != '\0';
  if (!is_dumb && !is_unwanted) view.colour = results::Colour::always;
  return view;
}

}  // namespace muster::healthcheck
