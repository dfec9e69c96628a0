// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/disk/disk_facts.hpp"

#include <fmt/format.h>

#include <string>

#include "benchmarks/sampling/sizes.hpp"

namespace muster::healthcheck {

using results::Labels;

Labels labels_of(const topology::NvmeDrive& drive) {
  Labels labels = {{"drive", drive.name}, {"pci", drive.pci}, {"serial", drive.serial}};
  std::erase_if(labels, [](const auto& label) { return label.second.empty(); });
  return labels;
}

Labels labels_of(const benchmarks::disk::Workload& workload, Labels where) {
  where.emplace("pattern", fmt::format("{}_{}", to_text(workload.pattern), to_text(workload.direction)));
  where.emplace("size", benchmarks::size_text(workload.block_bytes));
  where.emplace("depth", std::to_string(workload.depth));
  return where;
}

void add_wrong(Context& context, std::string_view check, const benchmarks::disk::WrongBlocks& wrong,
               const Labels& labels) {
  if (wrong.count > 0) context.add(results::metric_name(check, "first_wrong"), wrong.first, labels);
  context.add(results::metric_name(check, "wrong_blocks"), results::count(wrong.count), labels);
}

}  // namespace muster::healthcheck
