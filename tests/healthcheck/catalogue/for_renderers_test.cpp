// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/for_renderers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "results/render/exposition.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

const Metrics& all_metrics() {
  static const Metrics metrics(tests::source_folder() / "healthcheck/metrics.json");
  return metrics;
}

TEST(ForRenderers, NoTwoMetricsAreOneFamilyOfPrometheus) {
  std::map<std::string, std::string> metrics;
  for (const Metric& metric : all_metrics().all()) {
    if (!metric.unit) continue;
    const auto [known, is_new] = metrics.emplace(results::metric_family(metric.name, *metric.unit), metric.name);
    EXPECT_TRUE(is_new) << metric.name << " and " << known->second;
  }
  for (const auto* own : {"muster_report_status", "muster_report_time_seconds", "muster_check_status"})
    EXPECT_FALSE(metrics.contains(own)) << own;
}

// Those are what tells several files of one host from each other.
TEST(ForRenderers, NoLabelIsOneOfItsOwn) {
  for (const Metric& metric : all_metrics().all()) {
    if (!metric.labels) continue;
    for (const auto& [label, values] : *metric.labels)
      EXPECT_TRUE(label != "run" && label != "tier" && label != "job" && label != "instance") << metric.name;
  }
}

TEST(ForRenderers, CommandsNameLabelsThatThereAre) {
  std::set<std::string, std::less<>> labels;
  for (const Metric& metric : all_metrics().all())
    if (metric.labels)
      for (const auto& [label, values] : *metric.labels) labels.insert(label);
  const Faults faults(tests::source_folder() / "healthcheck/faults.json");
  for (const Fault& fault : faults.all())
    for (const auto& command : fault.commands)
      for (auto at = command.find('{'); at != command.npos; at = command.find('{', at + 1))
        EXPECT_TRUE(labels.contains(command.substr(at + 1, command.find('}', at) - at - 1))) << command;
}

TEST(ForRenderers, WhatIsNotKnownIsEmpty) {
  const auto& catalogue = known_catalogue();
  EXPECT_EQ(catalogue.meaning("no.such"), "");
  EXPECT_FALSE(catalogue.fault("no_such"));
}

}  // namespace
}  // namespace muster::healthcheck
