// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/cli/fleet/report_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "healthcheck/catalogue/for_renderers.hpp"
#include "healthcheck/fleet/render/fleet_formats.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/outputs.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "results/system/random_word.hpp"
#include "results/system/version.hpp"

namespace muster::healthcheck::fleet {

FleetReport heading(const std::string& since) {
  return {.version = std::string(results::version()),
          .run_id = results::random_word(),
          .made = results::utc_now(),
          .since = since};
}

void add_also(CommandLine& line, Shown& shown) { line.add_also(shown.also, fleet_forms()); }

int show(const FleetReport& report, const Shown& shown) {
  results::View view;
  view.redact = shown.redact;
  view.catalogue = &known_catalogue();
  write_also(shown.also, [&](const std::string& format) { return rendered(format, report, view); });
  const auto text = rendered(shown.format, report, view);
  if (shown.format == fleet_format_names().front())
    fmt::print("{}", text);
  else
    print_document(text);
  return exit_code(report.status);
}

FleetReport read_fleet_report(const std::filesystem::path& file) {
  const auto text = results::read_text(file);
  try {
    return fleet_report_from_json(text);
  } catch (const results::Error& error) {
    results::expect_document(text, results::Document::fleet_report, file);
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::optional<FleetReport> newest_in(const std::filesystem::path& place) {
  if (!std::filesystem::is_directory(place)) return read_fleet_report(place);
  std::vector<std::filesystem::directory_entry> files(std::filesystem::directory_iterator(place), {});
  std::erase_if(files, [](const auto& file) { return file.path().extension() != ".json"; });
  std::ranges::sort(files, std::greater{}, [](const auto& file) {
    std::error_code of_a_link_to_nothing;
    return file.last_write_time(of_a_link_to_nothing);
  });
  for (const auto& file : files) {
    try {
      return fleet_report_from_json(results::read_text(file.path()));
    } catch (const results::Error&) {  // something else, such as the report of a node
    }
  }
  return std::nullopt;
}

int finish_report(FleetReport report, const std::optional<FleetReport>& before, const std::filesystem::path& output,
                  Shown shown) {
  if (before) report = compared(std::move(report), *before);
  std::string problem;
  try {
    if (output != standard_stream) results::write_atomically(output, to_json(report));
  } catch (const results::Error& error) {
    problem = error.what();
  }
  if (shown.json || output == standard_stream) shown.format = "json";
  const int code = show(report, shown);
  if (problem.empty()) {
    if (output != standard_stream) tell(fmt::format("report: {}\n", output.string()));
    return code;
  }
  tell(fmt::format("the report is not written: {}\n", problem));
  return exit_code(results::Status::unknown);
}

}  // namespace muster::healthcheck::fleet
