// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <vector>

#include "healthcheck/check/applicable.hpp"
#include "healthcheck/check/checks_json.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/expectations/profile_lint.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/find_program.hpp"
#include "healthcheck/program/installation.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {
namespace {

void print_row(std::string_view check, std::string_view scope, std::string_view uses, std::string_view tier,
               std::string_view here) {
  fmt::print("{:<16}{:<11}{:<16}{:<11}{}\n", check, scope, uses, tier, here);
}

// Why it cannot run on this machine, or would skip; empty where it has something to look at.
std::string missing(const Description& check, const topology::Sysfs& sysfs, const topology::MachineSummary& machine) {
  if (auto reason = nothing_to_measure(check, sysfs, machine); !reason.empty()) return reason;
  return check.scope == Scope::ranks && !has_program("mpirun") ? "mpirun is not in PATH" : "";
}

void print_check(const Description& check, const std::string& reason) {
  std::vector<std::string_view> uses;
  for (const auto resource : check.resources) uses.push_back(to_text(resource));
  print_row(check.name, to_text(check.scope), uses.empty() ? "-" : fmt::format("{}", fmt::join(uses, ",")),
            to_text(check.tier), reason.empty() ? check.summary : fmt::format("no: {}. {}", reason, check.summary));
}

}  // namespace

int list_command(int argc, char** argv) {
  std::string wanted = "auto";
  CommandLine line("Lists the checks, what they need and whether they can run here", "muster list");
  line.add("--profile", wanted, "Also list what this profile demands and this build lacks");
  line.examples({"muster list", "muster list --profile nd96isr_h100_v5"});
  return line.run(argc, argv, [&] {
    const auto places = installation();
    const topology::Sysfs sysfs;
    const auto machine = topology::machine_summary(sysfs);
    const auto checks = read_checks(places.bin / "checks.json");
    const auto profile = read_clean(choose_profile(wanted, places.profiles, machine), places, Faults(places.faults));
    std::set<std::string, std::less<>> not_built;
    for (const auto& expectation : profile.expectations)
      if (!expectation.optional) not_built.insert(expectation.check);
    not_built.erase("");

    print_row("CHECK", "SCOPE", "USES", "TIER", "HERE");
    for (const auto& check : checks) {
      print_check(check, missing(check, sysfs.quiet(), machine));
      not_built.erase(check.name);
    }
    for (const auto& name : not_built)
      print_row(name, "", "", "", "no: not built, but " + profile.name + " demands it");
    return 0;
  });
}

}  // namespace muster::healthcheck
