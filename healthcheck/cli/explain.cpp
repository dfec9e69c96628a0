// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/check/checks_json.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "results/strings/suggest.hpp"
#include "topology/devices/bus_id.hpp"

namespace muster::healthcheck {
namespace {

void print(const Fault& fault) {
  fmt::print("{}\n  meaning   {}\n  evidence  {}\n  action    {}\n  source    {}\n", fault.code, fault.meaning,
             fault.evidence, fault.action, fault.source);
  for (const auto& command : fault.commands) fmt::print("  command   {}\n", command);
  if (!fault.action_where_waiting.empty()) fmt::print("  waiting   {}\n", fault.action_where_waiting);
  if (!fault.azure_code.empty()) fmt::print("  azure     {} {}\n", fault.azure_code, fault.azure_category);
}

void print(const Metric& metric) {
  fmt::print("{}\n  meaning   {}\n  unit      {}\n", metric.name, metric.meaning,
             metric.unit ? results::symbol(*metric.unit) : "none: a text");
  if (metric.better) fmt::print("  better    {}\n", *metric.better == Better::higher ? "higher" : "lower");
}

void print(const Description& check, const Metrics& metrics) {
  fmt::print("{}\n  meaning   {}\n  tier      {}\n  runs      {}, for about {:.2g} s\n", check.name, check.summary,
             to_text(check.tier), to_text(check.scope), check.typical_seconds);
  for (const Metric& metric : metrics.all())
    if (results::check_of(metric.name) == check.name) fmt::print("  metric    {}: {}\n", metric.name, metric.meaning);
}

void print_row(std::string_view word, std::string_view meaning) { fmt::print("{:<44}{}\n", word, meaning); }

}  // namespace

int explain_command(int argc, char** argv) {
  std::optional<std::string> word;
  CommandLine line("Says what a fault code means and what to do, or what a metric or a check is", "muster explain");
  line.add("WORD", word,
           "A fault code of a verdict, a metric or a check; without one, all codes and metrics are listed");
  line.examples({"muster explain ib_port_down", "muster explain host_memory.bandwidth"});
  return line.run(argc, argv, [&] {
    const Faults faults(installation().faults);
    const Metrics& metrics = known_metrics();
    if (!word) {
      for (const auto& fault : faults.all()) print_row(fault.code, fault.meaning);
      for (const auto& metric : metrics.all()) print_row(metric.name, metric.meaning);
      return 0;
    }
    const auto wanted = topology::lower_case(*word);
    const auto checks = read_checks(installation().bin / "checks.json");
    const auto check = std::ranges::find(checks, wanted, &Description::name);
    if (const Fault* fault = faults.find(wanted)) {
      print(*fault);
    } else if (const Metric* metric = metrics.find(wanted)) {
      print(*metric);
    } else if (check != checks.end()) {
      print(*check, metrics);
    } else {
      auto known = metrics.names();
      for (const auto& each : faults.all()) known.push_back(each.code);
      for (const auto& each : checks) known.push_back(each.name);
      throw UsageError(fmt::format("there is no fault code, metric or check '{}'.{} muster explain lists all", *word,
                                   results::suggestion(wanted, known)));
    }
    return 0;
  });
}

}  // namespace muster::healthcheck
