// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/job_monitor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <system_error>
#include <utility>

#include "benchmarks/error.hpp"
#include "healthcheck/program/descriptor.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience_at_parting{2};
// mpirun of Open MPI 5 kills a rank 250 ms after it has told it to stop.
constexpr std::chrono::milliseconds interval_when_told{20};

// Until one of them can be read, of which -1 is none, or for so long.
void wait_for_either(int one, int other, std::chrono::milliseconds time) {
  std::array<pollfd, 2> wanted{
      {{.fd = one, .events = POLLIN, .revents = 0}, {.fd = other, .events = POLLIN, .revents = 0}}};
  poll(wanted.data(), wanted.size(), static_cast<int>(time.count()));
}

}  // namespace

JobMonitor::JobMonitor(benchmarks::Ranks& ranks, const MonitoredJob& job, GiveUp give_up, Signals* told_to_stop)
    : steps_(ranks.steps()),
      interval_(look_interval(job.hosts.size())),
      give_up_(std::move(give_up)),
      told_to_stop_(told_to_stop) {
  const auto start = [&] { thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); }); };
  const auto rank = static_cast<std::size_t>(ranks.rank());
  std::string address;
  benchmarks::together(ranks, [&] {
    if (rank != 0) return;
    auto hub = std::make_unique<MonitorServer>(job, Clock::now());
    address = hub->address();
    side_ = std::move(hub);
    start();
  });
  address = ranks.broadcast(address);
  benchmarks::together(ranks, [&] {
    if (rank == 0) return;
    try {
      side_ = std::make_unique<MonitorClient>(job, rank, address, Clock::now());
    } catch (const std::system_error& error) {
      throw benchmarks::Error(
          fmt::format("rank {} on {} cannot reach rank 0 on {}, which each rank needs a TCP connection with ({}; tried "
                      "port and addresses {})",
                      rank, job.hosts[rank], job.hosts.front(), error.what(), address));
    }
    start();
  });
}

JobMonitor::~JobMonitor() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void JobMonitor::fail(std::string words) {
  {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(words);
  }
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

std::string JobMonitor::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void JobMonitor::run(const std::stop_token& stop) {
  const Descriptor stopped(eventfd(0, EFD_CLOEXEC));
  const std::stop_callback wake(stop, [&] { eventfd_write(stopped.number(), 1); });
  bool is_told = false;
  while (true) {
    wait_for_either(stopped.number(), told_to_stop_ == nullptr ? -1 : told_to_stop_->descriptor(),
                    is_told ? interval_when_told : interval_);
    if (stop.stop_requested()) break;
    if (told_to_stop_ != nullptr && told_to_stop_->next()) is_told = true;
    const OwnState own{.step = steps_.count(), .failure = failure(), .told_to_stop = is_told};
    if (const auto trouble = side_->look(own, Clock::now())) give_up_(*trouble);
  }
  const auto end = Clock::now() + patience_at_parting;
  while (!side_->part() && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace muster::healthcheck
