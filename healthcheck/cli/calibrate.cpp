// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/calibrate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "healthcheck/cli/commands.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/outputs.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/json/report_json.hpp"

namespace muster::healthcheck {
namespace {

// Throws UsageError where the profile could not be read by its name, or what it extends is not there.
void expect_usable(const std::string& name, const std::string& extends, const std::filesystem::path& output) {
  const auto shipped = installation().profiles;
  if (exists(shipped / (name + ".json")))
    throw UsageError(fmt::format("--name: muster brings a profile {}; give yours another name", name));
  const auto folder = output == standard_stream ? std::filesystem::path() : output.parent_path();
  if (!exists(folder / (extends + ".json"))) choose_profile(extends, shipped, {});  // says which there are
}

// "9 expectations (disk_io 5, host_memory 4), 16 left out"
std::string counted(const Calibrated& made) {
  std::map<std::string, std::size_t> counts;
  for (const auto& expectation : made.profile.expectations) ++counts[expectation.check];
  std::vector<std::string> parts;
  for (const auto& [check, count] : counts) parts.push_back(fmt::format("{} {}", check, count));
  const auto all = made.profile.expectations.size();
  return fmt::format("{} expectation{} ({}), {} left out", all, all == 1 ? "" : "s", fmt::join(parts, ", "),
                     made.left_out.size());
}

}  // namespace

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
                    "Pass threshold, as a share of the worst median (default: by what the runs differ)");
  line.add_positive("--fail", calibration.fail, "Fail threshold, as a share of the worst median");
  line.add_list("--without", calibration.without, "Metrics that get no expectation, separated by commas");
  line.add_output("--output", output, results::Document::other, "Where the profile goes; - is stdout");
  line.examples({"muster calibrate run1.json run2.json run3.json --name mine --output mine.json",
                 "muster calibrate run*.json --name mine --without disk_io.latency"});
  return line.run(argc, argv, [&] {
    line.expect_outputs();
    expect_usable(calibration.name, extends, output);
    std::vector<results::Report> reports;
    for (const auto& file : files) {
      reports.push_back(results::read_report(file));
      calibration.files.push_back(file.string());
    }
    const auto made = calibrate(reports, calibration);
    for (std::size_t i = 0; i < reports.size(); ++i)
      if (reports[i].status == results::Status::warn)
        tell(fmt::format("is {} healthy? It warns: {}\n", files[i].string(), reports[i].summary));
    if (!made.left_out.empty())
      tell("left out, for it is too uncertain; more runs, or --pass and --fail, give it thresholds:\n");
    for (const auto& phrase : made.left_out) tell(fmt::format("  {}\n", phrase));
    write_document(output, to_json(made.profile, extends));
    tell(fmt::format("{}: {}\n", calibration.name, counted(made)));
    return 0;
  });
}

}  // namespace muster::healthcheck
