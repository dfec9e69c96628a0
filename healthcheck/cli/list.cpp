// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <vector>

#include "healthcheck/checks_json.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/installation.hpp"
#include "healthcheck/node/plan.hpp"
#include "healthcheck/profile.hpp"
#include "topology/sysfs.hpp"

namespace muster::healthcheck {
namespace {

void print_row(std::string_view check, std::string_view scope, std::string_view uses, std::string_view tier,
               std::string_view here) {
  fmt::print("{:<16}{:<11}{:<16}{:<11}{}\n", check, scope, uses, tier, here);
}

void print_check(const Description& check, const topology::Traits& traits) {
  std::vector<std::string_view> uses;
  for (const auto resource : check.resources) uses.push_back(to_text(resource));
  const auto reason = cannot_run(check, traits);
  print_row(check.name, to_text(check.scope), uses.empty() ? "-" : fmt::format("{}", fmt::join(uses, ",")),
            to_text(check.tier), reason.empty() ? check.summary : "no: " + reason);
}

}  // namespace

int list_command(int argc, char** argv) {
  std::string wanted = "auto";
  CommandLine line("Lists the checks, what they need and whether they can run here", "muster list");
  line.add("--profile", wanted, "Also list what this profile demands and this build lacks");
  line.examples({"muster list", "muster list --profile nd96isr_h100_v5"});
  return line.run(argc, argv, [&] {
    const auto places = installation();
    const auto traits = topology::traits(topology::Sysfs());
    const auto checks = read_checks(places.bin / "checks.json");
    const auto profile = choose_profile(wanted, places.profiles, traits).read();
    std::set<std::string, std::less<>> missing;
    for (const auto& expectation : profile.expectations)
      if (!expectation.optional) missing.insert(expectation.check);
    missing.erase("");

    print_row("CHECK", "SCOPE", "USES", "TIER", "HERE");
    for (const auto& check : checks) {
      print_check(check, traits);
      missing.erase(check.name);
    }
    for (const auto& name : missing) print_row(name, "", "", "", "no: not built, but " + profile.name + " demands it");
    return 0;
  });
}

}  // namespace muster::healthcheck
