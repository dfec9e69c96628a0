// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/graph_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pugixml.hpp>
#include <set>

#include "topology/kernel/error.hpp"
#include "topology/nccl/nccl_parser.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {
namespace {

// The numbers of all GPUs in its channels. The text is XML.
std::set<long> gpus_of_graph(std::string_view text) {
  pugi::xml_document document;
  document.load_buffer(text.data(), text.size());
  std::set<long> numbers;
  for (const auto& graph : document.child("graphs").children("graph"))
    for (const auto& channel : graph.children("channel"))
      for (const auto& gpu : channel.children("gpu")) numbers.insert(gpu.attribute("dev").as_int());
  return numbers;
}

}  // namespace

std::string why_graph_fails(std::string_view text, std::size_t gpus) {
  try {
    if (!is_graph(text)) return "it is not a graph file, whose first element is 'graphs'";
  } catch (const Error& error) {
    return error.what();
  }
  for (const auto& finding : nccl_reads(text))
    if (finding.wrong == TopologyDefect::refused) return fmt::format("line {}: {}", finding.line, finding.what);
  auto absent = gpus_of_graph(text);
  std::erase_if(absent, [&](long number) { return number >= 0 && static_cast<std::size_t>(number) < gpus; });
  if (absent.empty()) return {};
  return fmt::format("it names GPU {}, and this machine has {} GPU{}", fmt::join(absent, ", "), gpus,
                     gpus == 1 ? "" : "s");
}

}  // namespace muster::topology
