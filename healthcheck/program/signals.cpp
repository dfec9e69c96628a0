// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/signals.hpp"

#include <sys/signalfd.h>

#include <cerrno>
#include <system_error>

namespace muster::healthcheck {
namespace {

// As nohup, or a script that starts this in the background, wants it.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Signals::Signals(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals)
    if (!is_ignored(signal)) sigaddset(&set, signal);
  sigprocmask(SIG_BLOCK, &set, &before_);
  descriptor_ = Descriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!descriptor_) {
    const int error = errno;
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    throw std::system_error(error, std::generic_category(), "cannot wait for signals");
  }
}

Signals::~Signals() {
  while (next().has_value()) continue;
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> Signals::next() {
  signalfd_siginfo information{};
  if (read(descriptor_.number(), &information, sizeof information) != sizeof information) return std::nullopt;
  return static_cast<int>(information.ssi_signo);
}

}  // namespace muster::healthcheck
