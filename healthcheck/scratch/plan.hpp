// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/scratch/facts.hpp"

namespace muster::healthcheck::scratch {

// A spare is empty where there is an array already.
enum class Decision { take, ours, spare, refuse, unknown, other_model };

std::string_view to_text(Decision decision);

// What is done next; none where scratch is mounted, stop where nothing can be done by itself.
enum class Action { create, assemble, format, mount, none, stop };

std::string_view to_text(Action action);

// Of one drive, with the reason: a sentence whose subject is the drive.
struct Choice {
  std::string name;
  Decision decision = Decision::unknown;
  std::string reason;

  bool operator==(const Choice&) const = default;
};

struct Plan {
  std::vector<Choice> drives;  // each of the facts
  Action action = Action::stop;
  std::string reason;                // one sentence
  bool is_unknown = false;           // it stops for what nobody knows
  std::vector<std::string> members;  // drives of the array that there is or is to be, in its order
  std::string uuid;                  // of the array that there is
  std::string array;                 // its name, where the kernel has it

  bool operator==(const Plan&) const = default;
};

// The next step towards one RAID0 of the drives that hold nothing, mounted at the place that is wished. It never takes
// a drive that holds something, makes no array where there is one of muster's, and no file system where anything is.
Plan plan(const Facts& facts, const Wishes& wishes);

}  // namespace muster::healthcheck::scratch
