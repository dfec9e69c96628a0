// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/calibrate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/command_line.hpp"
#include "results/file.hpp"
#include "results/report_json.hpp"

namespace muster::healthcheck {

int calibrate_command(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  std::string extends = "generic";
  std::optional<std::filesystem::path> output;
  Calibration calibration{.name = "calibrated"};
  CommandLine line("Makes a profile from reports of healthy runs", "muster calibrate");
  line.add("REPORT", files, "Reports of healthy runs of the same machine");
  line.add("--name", calibration.name, "The name of the profile");
  line.add("--extends", extends, "The profile that it extends");
  line.add("--pass", calibration.pass, "Pass edge, as a share of the lowest median");
  line.add("--fail", calibration.fail, "Fail edge, as a share of the lowest median");
  line.add("--output", output, "Where the profile goes (default: stdout)");
  return line.run(argc, argv, [&] {
    std::vector<results::Report> reports;
    for (const auto& file : files) reports.push_back(results::read_report(file));
    const auto text = to_json(calibrate(reports, calibration), extends);
    if (output)
      results::write_atomically(*output, text);
    else
      fmt::print("{}", text);
    return 0;
  });
}

}  // namespace muster::healthcheck
