// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "healthcheck/judge/calibrate.hpp"
#include "healthcheck/program/error.hpp"

// Healthy runs to calibrate from.
namespace muster::healthcheck {

// A healthy run of two NUMA nodes that measured these bandwidths and this duration.
inline results::Report healthy(const std::string& id, double first, double second, double seconds) {
  results::Report report;
  report.run_id = id;
  report.started = "2026-11-2" + id + "T02:00:00Z";
  report.status = results::Status::pass;
  report.hosts = {{.name = "node", .fingerprint = {{"cpu_model", "Xeon"}}}};
  auto& run = report.checks.emplace_back();
  run.check = "host_memory";
  run.host = "node";
  run.outcome = results::Outcome::finished;
  const auto add = [&](const std::string& metric, results::Quantity value, const results::Labels& labels) {
    run.measurements.push_back(
        {.metric = metric, .value = value, .labels = labels, .stopping = results::Stopping{.rule = "r", .n = 9}});
  };
  add("host_memory.bandwidth", {first, results::Unit::byte_per_second}, {{"numa", "0"}});
  add("host_memory.bandwidth", {second, results::Unit::byte_per_second}, {{"numa", "1"}});
  add("ib_latency.latency", {seconds, results::Unit::second}, {});
  add("host_memory.threads", {4, results::Unit::one}, {});
  return report;
}

inline const std::vector<results::Report> three = {healthy("1", 100e9, 104e9, 1e-6), healthy("2", 102e9, 98e9, 2e-6),
                                                   healthy("3", 101e9, 103e9, 1e-6)};

inline const Calibration wide{.name = "lab", .pass = 0.6, .fail = 0.4, .without = {}};

inline std::string refusal(const std::vector<results::Report>& reports, const Calibration& calibration = wide) {
  try {
    calibrate(reports, calibration);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace muster::healthcheck
