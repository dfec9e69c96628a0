// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/render/fleet_formats.hpp"
#include "results/values/redactor.hpp"

namespace muster::healthcheck::fleet {
namespace {

void learn_all(results::Redactor& redact, const FleetReport& report) {
  for (const auto& node : report.nodes) {
    redact.learn("host", node.name);
    for (const auto& problem : node.problems) {
      redact.learn("host", problem.host);
      redact.learn(problem.labels);
    }
  }
  for (const auto& name : report.gone) redact.learn("host", name);
  for (const auto& metric : report.metrics)
    for (const auto& outlier : metric.outliers) {
      redact.learn("host", outlier.node);
      redact.learn(outlier.component);
    }
}

void redact_node(results::Redactor& redact, FleetNode& node) {
  node.name = redact.name(node.name);
  node.reason = redact(node.reason);
  for (auto& source : node.reports) source.path = redact(source.path);
  for (auto& problem : node.problems) {
    problem.host = redact.name(problem.host);
    problem.labels = redact.labels(problem.labels);
    problem.reason = redact(problem.reason);
    problem.action = redact(problem.action);
  }
}

}  // namespace

FleetReport redacted(FleetReport report) {
  results::Redactor redact;
  learn_all(redact, report);
  for (auto& node : report.nodes) redact_node(redact, node);
  for (auto& name : report.gone) name = redact.name(name);
  for (auto& file : report.unreadable) {
    file.path = redact(file.path);
    file.reason = redact(file.reason);
  }
  for (auto& metric : report.metrics)
    for (auto& outlier : metric.outliers) {
      outlier.node = redact.name(outlier.node);
      outlier.component = redact.labels(outlier.component);
    }
  for (auto& each : report.peers.divided) each.reason = redact(each.reason);
  report.summary = redact(report.summary);
  return report;
}

}  // namespace muster::healthcheck::fleet
