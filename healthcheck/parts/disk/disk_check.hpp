// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/disk/engine.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/timetable.hpp"
#include "healthcheck/parts/disk/disk_target.hpp"

namespace muster::healthcheck {

// A check that measures disks, by a file of its own on each: in the folders that are named, in the scratch mounts of
// the profile, or in the working folder.
class DiskCheck : public Check {
 public:
  using Say = std::function<void(std::string_view what)>;

  // `usual_seconds` is the time of all that is measured, in tier full ten times that, where no option says otherwise.
  DiskCheck(std::string name, double usual_seconds) : name_(std::move(name)), usual_seconds_(usual_seconds) {}

  void add_options(CommandLine& line) override;
  void expect_possible(const Context& context) const override;
  double wanted_seconds(results::Tier tier) const override;
  // A place that was named must be measured; the working folder, where it can be.
  void run(Context& context) override;

 protected:
  // How many bytes of buffers all of them have at once.
  virtual std::size_t buffer_bytes(const Context& context, const std::vector<DiskTarget>& places) const = 0;
  // Several threads may call it. `say` is told what happens now. Throws benchmarks::Error where the place cannot be
  // measured, DiskError where its disk is the reason.
  virtual void measure(Context& context, const DiskTarget& place, const benchmarks::disk::Engine& engine,
                       const Say& say) const = 0;

  // Those to measure. Throws std::runtime_error, with a fact that says so, where the profile names mounts and none is
  // there.
  virtual std::vector<DiskTarget> places(Context& context) const;
  // Throws Skip where these have nothing that the check looks for.
  virtual void expect_worth(const Context& /*context*/, const std::vector<DiskTarget>& /*places*/) const {}

  std::string metric(std::string_view subject) const;
  const std::vector<std::filesystem::path>& paths() const { return paths_; }
  const DiskSettings& settings() const { return settings_; }
  // The time there is for each place, from now on.
  Timetable timetable(const Context& context) const;

 private:
  struct Outcome {
    std::string reason;   // why a place could not be measured; empty where it was
    bool failed = false;  // the disk is the reason
  };

  double seconds_of_place(results::Tier tier) const;
  Outcome outcome_of(Context& context, const DiskTarget& place, const benchmarks::disk::Engine& engine,
                     const Say& say) const;
  std::vector<Outcome> measure_all(Context& context, const std::vector<DiskTarget>& places) const;

  std::string name_;
  double usual_seconds_;
  std::vector<std::filesystem::path> paths_;
  DiskSettings settings_;
};

}  // namespace muster::healthcheck
