// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/fault.hpp"
#include "healthcheck/installation.hpp"
#include "healthcheck/metric.hpp"
#include "healthcheck/suggest.hpp"

namespace muster::healthcheck {
namespace {

void print(const Fault& fault) {
  fmt::print("{}\n  meaning   {}\n  evidence  {}\n  action    {}\n  source    {}\n", fault.code, fault.meaning,
             fault.evidence, fault.action, fault.source);
  if (!fault.azure_code.empty()) fmt::print("  azure     {} {}\n", fault.azure_code, fault.azure_category);
}

void print(const Metric& metric) {
  fmt::print("{}\n  meaning   {}\n  unit      {}\n", metric.name, metric.meaning,
             metric.unit ? results::symbol(*metric.unit) : "none: a text");
}

void print_row(std::string_view word, std::string_view meaning) { fmt::print("{:<44}{}\n", word, meaning); }

}  // namespace

int explain_command(int argc, char** argv) {
  std::optional<std::string> word;
  CommandLine line("Says what a fault code means and what to do, or what a metric is", "muster explain");
  line.add("WORD", word, "A fault code of a verdict, or a metric; without one, all are listed");
  return line.run(argc, argv, [&] {
    const Faults faults(installation().faults);
    const Metrics metrics(installation().metrics);
    if (!word) {
      for (const auto& fault : faults.all()) print_row(fault.code, fault.meaning);
      for (const auto& metric : metrics.all()) print_row(metric.name, metric.meaning);
      return 0;
    }
    if (const Fault* fault = faults.find(*word)) {
      print(*fault);
    } else if (const Metric* metric = metrics.find(*word)) {
      print(*metric);
    } else {
      auto known = metrics.names();
      for (const auto& each : faults.all()) known.push_back(each.code);
      throw UsageError(fmt::format("there is no fault code or metric '{}'.{} muster explain lists all", *word,
                                   suggestion(*word, known)));
    }
    return 0;
  });
}

}  // namespace muster::healthcheck
