// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "healthcheck/program/stop.hpp"
#include "healthcheck/scratch/plan.hpp"
#include "results/values/verdict.hpp"

namespace muster::healthcheck::scratch {

struct Settings {
  topology::Sysfs sysfs;
  Wishes wishes;
  bool dry_run = false;     // look and say, and change nothing
  bool is_mounted = false;  // the same, and only what is mounted passes
  std::optional<std::filesystem::path> status;
  std::optional<double> every_seconds;
};

// What was found and is planned, or why that is not known.
struct ScratchState {
  Facts facts;
  Plan plan;
  std::string problem;  // of a look or a step that failed

  bool operator==(const ScratchState&) const = default;
};

// By `say`, a line for each drive and one for the whole; the same again is not said.
using Say = std::function<void(const std::string&)>;

// Looks and takes one step after the other until scratch is mounted or nothing more can be done; again and again where
// the settings say so, until it is told to stop. Of the last look: pass where it is mounted, or would be by a dry run,
// fail where something is in the way, unknown where something is not known or did not work. Throws results::Error where
// the status cannot be written.
results::Status provide(const Settings& settings, Stop& stop, const Say& say);

// As results/scratch.schema.json has it.
std::string to_json(const ScratchState& standing, const Settings& settings);

}  // namespace muster::healthcheck::scratch
