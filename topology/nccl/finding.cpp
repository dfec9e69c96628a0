// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/finding.hpp"

#include <algorithm>

#include "results/strings/names.hpp"

namespace muster::topology {
namespace {

constexpr results::Names<20> names{"refused",       "ignored", "bus_id",       "duplicate", "masks",
                                   "masks_swapped", "link",    "device_class", "no_nic",    "missing",
                                   "extra",         "numa",    "pairing",      "degraded",  "processor",
                                   "nvlink",        "order",   "hosts",        "uneven",    "gpu_direct"};

}  // namespace

std::vector<TopologyDefect> all_wrongs() {
  std::vector<TopologyDefect> wrongs;
  for (const auto name : names) wrongs.push_back(*results::named<TopologyDefect>(names, name));
  return wrongs;
}

std::string_view to_text(TopologyDefect wrong) { return results::name_of(names, wrong); }

bool has_error(const Findings& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) { return finding.severity == Severity::error; });
}

}  // namespace muster::topology
