// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "healthcheck/fleet/fleet_report.hpp"
#include "results/system/error.hpp"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

// Whatever is taken for the report of a node can be told of a fleet, and is read again as it was told.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  using namespace muster::healthcheck::fleet;
  NodeReportReader reader;
  try {
    auto read = reader.read(std::string(reinterpret_cast<const char*>(data), size));
    if (!read) return 0;
    const auto host = read->summary.host;
    const auto report =
        judged({.made = "2026-11-25T06:00:00Z", .since = "2026-11-25T00:00:00Z"}, {host},
               {.reports = {{"a.json", {}, read->is_whole, std::move(read->summary)}}, .unreadable = {}});
    demand(report.nodes.size() == 1 && report.nodes.front().name == host);
    const auto text = to_json(report);
    demand(to_json(fleet_report_from_json(text)) == text);
    demand(to_text(report).starts_with("muster"));
  } catch (const results::Error&) {  // the right answer to what is no report of a node
  }
  return 0;
}
