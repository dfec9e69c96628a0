// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/render/text.hpp"
#include "results/values/measurement.hpp"
#include "results/values/verdict.hpp"

// What two reports say of one another: A, and B which is held against it.
namespace muster::healthcheck::compare {

// What became of something from A to B, in the order in which people are told. Of what is undecided the values differ,
// and no samples tell whether that is noise.
enum class Kind { worse, gone, fresh, better, changed, noise, undecided, same };

// "new" for fresh.
std::string_view to_text(Kind kind);

// What it is about.
enum class Subject { rate, finding, check, component, fact, setting, counter, node, file };

std::string_view to_text(Subject subject);

struct Change {
  Kind kind = Kind::same;
  Subject subject = Subject::fact;
  std::string check;  // empty where it is about none
  std::string host;   // where there are several
  std::string metric;
  results::Labels labels;
  std::optional<results::Value> before;  // in A; a status where the subject is no fact
  std::optional<results::Value> after;   // in B
  std::optional<double> difference;      // of a rate, as a share of A: -0.05 where B has 5 % less
  std::optional<double> noise;           // the least share by which it would have been named
  std::string fault = {};                // of a finding
  std::string reason = {};
};

// One of the two.
struct Side {
  std::string file, run_id, started, version, summary;
  std::vector<std::string> hosts;  // or how many nodes of a fleet
  results::Status status = results::Status::unknown;
};

struct Comparison {
  bool is_of_fleets = false;
  Side a, b;
  std::vector<std::string> differences;  // of what was asked for, a phrase each: "profile (generic, mine)"
  std::vector<Change> changes;           // by kind, the clearest first
  std::size_t sensitive = 0;             // rates of which a loss of 5 % would have been named
};

std::size_t count(const Comparison& comparison, Kind kind);

// 1 where something is worse or gone, else 0.
int exit_code(const Comparison& comparison);

// By kind, then by subject, status and how far a rate is beyond noise; equal ones as they were.
void sort(std::vector<Change>& changes);

// One sentence: "2 worse, 1 gone; 296 rates within noise, of 281 a loss of 5 % would have been named".
std::string summary(const Comparison& comparison);

// Version 1 of compare.schema.json.
std::string to_json(const Comparison& comparison);

// For people: how the two differ in what was asked for, the summary, and what has changed, worst first; with `all` also
// what is within noise and what nobody can decide.
std::string to_text(const Comparison& comparison, const results::View& view);

}  // namespace muster::healthcheck::compare
