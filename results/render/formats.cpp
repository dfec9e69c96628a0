// SPDX-License-Identifier: Apache-2.0
#include "results/render/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "results/json/report_json.hpp"
#include "results/values/redactor.hpp"

namespace muster::results {

// Each is the one function of its source.
// NOLINTBEGIN(readability-redundant-declaration): where a unit of the build has that source, too
std::string to_csv(const Report& report, const View& view);
std::string to_ctrf(const Report& report, const View& view);
std::string to_junit(const Report& report, const View& view);
std::string to_openmetrics(const Report& report, const View& view);
std::string to_ticket(const Report& report, const View& view);
std::string to_html(const Report& report, const View& view);
// NOLINTEND(readability-redundant-declaration)

namespace {

constexpr std::string_view begins_json = "{\n  \"schema\": 1,\n  \"tool\": {\n    \"name\": \"muster\"";
constexpr std::string_view begins_junit = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"muster\"";
constexpr std::string_view begins_ctrf =
    "{\n  \"reportFormat\": \"CTRF\",\n  \"specVersion\": \"0.0.0\",\n  \"generatedBy\": \"muster\"";

constexpr std::string_view begins_html =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta name=\"generator\" content=\"muster\">";

constexpr std::array all_formats = {
    Format{"text", "a table for people", to_text, "muster "},
    Format{"json", "the report itself", [](const Report& report, const View&) { return to_json(report); }, begins_json},
    Format{"junit", "test cases for CI systems", to_junit, begins_junit},
    Format{"ctrf", "the same as JSON, by ctrf.io", to_ctrf, begins_ctrf},
    Format{"csv", "a row for each fact, for spreadsheets", to_csv, "kind,host,"},
    Format{"openmetrics", "time series for Prometheus", to_openmetrics, "# TYPE muster_"},
    Format{"ticket", "the text for a cloud or a vendor", to_ticket, "muster ticket: "},
    Format{"html", "one page with pictures, which loads nothing", to_html, begins_html},
};

}  // namespace

std::vector<std::string> format_names() { return names_of(all_formats); }
std::string format_summaries() { return summaries_of(all_formats); }

const Format& format_of(std::string_view name) {
  const auto found = std::ranges::find(all_formats, name, &Format::name);
  if (found == all_formats.end()) throw std::logic_error(fmt::format("no format {}", name));
  return *found;
}

std::string rendered(std::string_view format, const Report& report, const View& view) {
  const auto& render = format_of(format).render;
  return view.redact ? render(redacted(report), view) : render(report, view);
}

}  // namespace muster::results
