// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "healthcheck/fleet/node_report.hpp"
#include "results/json/report_json.hpp"
#include "results/system/error.hpp"

namespace {

using namespace muster;
using healthcheck::fleet::NodeReportReader;

void demand(bool holds) {
  if (!holds) std::abort();
}

std::optional<results::Report> strictly(const std::string& text) try {
  return results::report_from_json(text);
} catch (const results::Error&) {
  return std::nullopt;
}

std::optional<NodeReportReader::Read> as_a_node(const std::string& text) try {
  return NodeReportReader().read(text);
} catch (const results::Error&) {
  return std::nullopt;
}

}  // namespace

// Both readers take the same bytes for a report, and find the same in it; of a node is one of one host that has
// started.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto report = strictly(text);
  const auto read = as_a_node(text);
  const bool is_of_node = report && report->hosts.size() == 1 && results::time_from(report->started);
  demand(is_of_node == (read && read->is_whole));
  if (is_of_node) demand(read->summary == results::summary_of(*report, 8));
  return 0;
}
