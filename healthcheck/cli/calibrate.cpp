// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/calibrate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/outputs.hpp"
#include "healthcheck/streams.hpp"
#include "results/report_json.hpp"

namespace muster::healthcheck {

int calibrate_command(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  std::string extends = "generic";
  std::filesystem::path output = standard_stream;
  Calibration calibration{.name = "calibrated"};
  CommandLine line("Makes a profile from reports of healthy runs", "muster calibrate");
  line.add("REPORT", files, "Reports of healthy runs of the same machine");
  line.add("--name", calibration.name, "The name of the profile");
  line.add("--extends", extends, "The profile that it extends");
  line.add_positive("--pass", calibration.pass,
                    "Pass edge, as a share of the worst median (default: by what the runs differ)");
  line.add_positive("--fail", calibration.fail, "Fail edge, as a share of the worst median");
  line.add_list("--without", calibration.without, "Metrics that get no expectation, separated by commas");
  line.add_output("--output", output, results::Document::other, "Where the profile goes; - is stdout");
  line.examples({"muster calibrate run1.json run2.json run3.json --name mine --output mine.json",
                 "muster calibrate run*.json --name mine --without disk_io.latency"});
  return line.run(argc, argv, [&] {
    line.expect_outputs();
    std::vector<results::Report> reports;
    for (const auto& file : files) reports.push_back(results::read_report(file));
    const auto made = calibrate(reports, calibration);
    if (reports.size() == 1) tell("one run does not tell how runs differ: give three\n");
    if (!made.left_out.empty()) tell("left out, for it is too uncertain:\n");
    for (const auto& phrase : made.left_out) tell(fmt::format("  {}\n", phrase));
    write_document(output, to_json(made.profile, extends));
    return 0;
  });
}

}  // namespace muster::healthcheck
