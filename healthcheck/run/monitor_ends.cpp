// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/monitor_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck {
namespace {

using Life = RankState::Life;
using std::chrono::milliseconds;

constexpr std::size_t heard_easily = 64;  // ranks that rank 0 hears ten times a second without work worth naming
constexpr milliseconds lately{1000};
constexpr int looks_for_the_dead = 3;  // mpirun tells ranks to stop when one has died, too
constexpr std::string_view bye = "bye";
constexpr std::string_view over = "over";  // the job; rank 0 has more to say of it than that it is gone

// So many unheard lines are no accident of scheduling.
milliseconds silence(std::size_t ranks) { return 20 * look_interval(ranks); }

std::string greeting(const MonitoredJob& job, std::size_t rank) { return fmt::format("hello {} {}", job.run_id, rank); }
std::string welcome(const MonitoredJob& job) { return "welcome " + job.run_id; }

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

milliseconds look_interval(std::size_t ranks) { return milliseconds(100) * static_cast<int>(1 + ranks / heard_easily); }

MonitorServer::MonitorServer(MonitoredJob job, Time now)
    : job_(std::move(job)), deadline_(now + ticks(job_.limit_seconds)), listener_(job_.address) {
  for (std::size_t rank = 0; rank < job_.hosts.size(); ++rank)
    members_.push_back({.connection = std::nullopt, .state = {}, .heard = now, .moved = now});
}

std::optional<JobFailure> MonitorServer::look(const OwnState& own, Time now) {
  admit(now);
  Member& self = members_.front();
  self.heard = now;
  move(self, own.step, now);
  if (!own.failure.empty()) fail(self, one_line(own.failure));
  for (Member& member : members_) {
    if (!member.connection) continue;
    member.connection->send("here");
    hear(member, *member.connection, now);
  }
  const bool broken =
      std::ranges::any_of(members_, [](const Member& member) { return member.state.life != Life::well; });
  if (own.told_to_stop) ++looks_since_told_;
  const bool is_stopped = looks_since_told_ > looks_for_the_dead;
  if (now < deadline_ && !is_stopped && !(broken && std::exchange(suspicious_, broken))) return std::nullopt;
  for (Member& member : members_)
    if (member.connection) member.connection->send(over);
  if (is_stopped && !broken) return JobFailure{results::Outcome::interrupted, "the job was told to stop", {}};
  return job_failure(states(now), job_.hosts, job_.limit_seconds);
}

bool MonitorServer::part() {
  const bool first = !std::exchange(parting_, true);
  bool done = true;
  for (Member& member : members_) {
    if (!member.connection) continue;
    Connection& connection = *member.connection;
    if (first) connection.send(bye);
    hear(member, connection, member.heard);
    done = done && (member.parted || connection.ended());
  }
  return done;
}

void MonitorServer::admit(Time now) {
  for (Connection& stranger : listener_.accept()) strangers_.push_back(std::move(stranger));
  std::erase_if(strangers_, [&](Connection& stranger) {
    const auto lines = stranger.receive();
    for (std::size_t rank = 1; rank < members_.size() && !lines.empty(); ++rank) {
      Member& member = members_[rank];
      if (member.connection || lines.front() != greeting(job_, rank)) continue;
      stranger.send(welcome(job_));
      member.connection = std::move(stranger);
      member.heard = now;
      return true;
    }
    return !lines.empty() || stranger.ended();
  });
}

void MonitorServer::hear(Member& member, Connection& connection, Time now) {
  for (const auto& line : connection.receive()) {
    member.heard = now;
    std::istringstream words(line);
    std::string what;
    std::uint64_t step = 0;
    words >> what;
    if (what == "step" && words >> step) move(member, step, now);
    if (what == "failed") fail(member, line.substr(what.size() + 1));
    if (what == bye) member.parted = true;
  }
  if (connection.ended() && !member.parted && member.state.life == Life::well) member.state.life = Life::died;
}

void MonitorServer::move(Member& member, std::uint64_t step, Time now) {
  if (member.state.step != step) member.moved = now;
  member.state.step = step;
}

void MonitorServer::fail(Member& member, std::string words) {
  member.state.life = Life::failed;
  member.state.words = std::move(words);
}

std::vector<RankState> MonitorServer::states(Time now) const {
  std::vector<RankState> found;
  for (const Member& member : members_) {
    RankState& state = found.emplace_back(member.state);
    state.moving = now - member.moved < lately;
    if (state.life == Life::well && !member.parted && now - member.heard > silence(members_.size()))
      state.life = Life::silent;
  }
  return found;
}

MonitorClient::MonitorClient(MonitoredJob job, std::size_t rank, const std::string& address, Time now)
    : job_(std::move(job)),
      deadline_(now + ticks(job_.limit_seconds)),
      connection_(connect(address, greeting(job_, rank), welcome(job_))),
      heard_(now) {}

std::optional<JobFailure> MonitorClient::look(const OwnState& own, Time now) {
  connection_.send(own.failure.empty() ? fmt::format("step {}", own.step) : "failed " + one_line(own.failure));
  hear(now);
  if (over_) return JobFailure{.outcome = results::Outcome::interrupted, .reason = {}, .lost = {}};
  if (parted_) return std::nullopt;
  if (connection_.ended()) return without_rank_0(Life::died);
  if (now >= deadline_ && now - heard_ > silence(job_.hosts.size())) return without_rank_0(Life::silent);
  return std::nullopt;
}

bool MonitorClient::part() {
  if (!std::exchange(parting_, true)) connection_.send(bye);
  hear(heard_);
  return parted_ || connection_.ended();
}

void MonitorClient::hear(Time now) {
  for (const auto& line : connection_.receive()) {
    heard_ = now;
    parted_ = parted_ || line == bye;
    over_ = over_ || line == over;
  }
}

JobFailure MonitorClient::without_rank_0(Life life) const {
  std::vector<RankState> states(job_.hosts.size());
  states.front().life = life;
  return job_failure(states, job_.hosts, job_.limit_seconds);
}

}  // namespace muster::healthcheck
