// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/process/connection.hpp"
#include "healthcheck/run/job_failure.hpp"

namespace muster::healthcheck {

// What a watch is told of the job, the same on every rank.
struct MonitoredJob {
  std::string run_id;              // tells its connections from those of other jobs
  std::vector<std::string> hosts;  // by rank
  double limit_seconds = 0;        // from now on
  std::string address = {};        // at which rank 0 listens; all of its host where it is empty
};

// This rank, as its own side of the watch sees it.
struct OwnState {
  std::uint64_t step = 0;  // benchmarks::Steps::count()
  std::string failure;     // why it cannot go on; empty when it can
  bool told_to_stop = false;
};

// One end of the connections between rank 0 and the others. No call waits.
class MonitorEnd {
 public:
  using Time = std::chrono::steady_clock::time_point;

  virtual ~MonitorEnd() = default;
  // Tells the other end and hears it; to be called again and again. Returns why the job must be ended, when it must.
  virtual std::optional<JobFailure> look(const OwnState& own, Time now) = 0;
  // Says that this end goes because all is done; to be called until it returns true: the other end does so too.
  virtual bool part() = 0;
};

// How often to look: ten times a second, less often in a job so large that rank 0 would have work with it.
std::chrono::milliseconds look_interval(std::size_t ranks);

// Rank 0's end. It knows first when a rank dies, and decides at the time limit.
class MonitorServer final : public MonitorEnd {
 public:
  // Throws std::system_error.
  MonitorServer(MonitoredJob job, Time now);

  const std::string& address() const { return listener_.address(); }
  std::optional<JobFailure> look(const OwnState& own, Time now) override;
  bool part() override;

 private:
  struct Member {
    std::optional<Connection> connection;
    RankState state;
    Time heard;
    Time moved;
    bool parted = false;
  };

  void admit(Time now);
  static void hear(Member& member, Connection& connection, Time now);
  static void move(Member& member, std::uint64_t step, Time now);
  static void fail(Member& member, std::string words);
  std::vector<RankState> states(Time now) const;

  MonitoredJob job_;
  Time deadline_;
  Listener listener_;
  std::vector<Connection> strangers_;
  std::vector<Member> members_;
  bool suspicious_ = false;   // at the last look somebody had died or failed; others may follow
  int looks_since_told_ = 0;  // to stop
  bool parting_ = false;
};

// Any other rank's end. It speaks up where rank 0 cannot.
class MonitorClient final : public MonitorEnd {
 public:
  // Throws std::system_error where rank 0 cannot be reached.
  MonitorClient(MonitoredJob job, std::size_t rank, const std::string& address, Time now);

  std::optional<JobFailure> look(const OwnState& own, Time now) override;
  bool part() override;

 private:
  void hear(Time now);
  JobFailure without_rank_0(RankState::Life life) const;

  MonitoredJob job_;
  Time deadline_;
  Connection connection_;
  Time heard_;
  bool parting_ = false;
  bool parted_ = false;  // rank 0 has
  bool over_ = false;    // rank 0 ends the job
};

}  // namespace muster::healthcheck
