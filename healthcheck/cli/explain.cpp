// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/fault.hpp"
#include "healthcheck/installation.hpp"
#include "healthcheck/suggest.hpp"

namespace muster::healthcheck {
namespace {

void print(const Fault& fault) {
  fmt::print("{}\n  meaning   {}\n  evidence  {}\n  action    {}\n  source    {}\n", fault.code, fault.meaning,
             fault.evidence, fault.action, fault.source);
  if (!fault.azure_code.empty()) fmt::print("  azure     {} {}\n", fault.azure_code, fault.azure_category);
}

}  // namespace

int explain_command(int argc, char** argv) {
  std::optional<std::string> code;
  CommandLine line("Says what a fault code means and what to do", "muster explain");
  line.add("CODE", code, "A fault code of a verdict; without one, all are listed");
  return line.run(argc, argv, [&] {
    const Faults faults(installation().faults);
    std::vector<std::string> codes;
    for (const auto& fault : faults.all()) codes.push_back(fault.code);
    if (!code) {
      for (const auto& fault : faults.all()) fmt::print("{:<28}{}\n", fault.code, fault.meaning);
      return 0;
    }
    const Fault* fault = faults.find(*code);
    if (fault == nullptr)
      throw UsageError(
          fmt::format("there is no fault code '{}'.{} muster explain lists all", *code, suggestion(*code, codes)));
    print(*fault);
    return 0;
  });
}

}  // namespace muster::healthcheck
