// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/lint_masks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "topology/cpu/cpu_list.hpp"

namespace muster::topology {
namespace {

constexpr std::size_t cpus_of_a_mask = 1024;

// The file for ND H100 v5 that circulated until 2025-01-27: its masks are those of the other node. Recognised by what
// it says, whatever it is called and however it is laid out.
bool is_old_ndv5(const Machine& machine) {
  const auto has = [&](std::int64_t number, std::string_view cpus, std::string_view gpu) {
    return std::ranges::any_of(
               machine.domains,
               [&](const NumaDomain& domain) { return domain.number == number && domain.cpus == cpu_list(cpus); }) &&
           std::ranges::any_of(devices(machine, DeviceKind::gpu), [&](const DeviceLocation& device) {
             return device.domain->number == number && device.node->address == gpu;
           });
  };
  return machine.domains.size() == 2 && has(0, "48-95", "0001:00:00.0") && has(1, "0-47", "0009:00:00.0");
}

class MaskLinter {
 public:
  explicit MaskLinter(const TopologyFile& file) : file_(file), machine_(file.machine) {}

  Findings run() {
    masks();
    return std::move(findings_);
  }

 private:
  void add(Severity severity, const std::string& device, std::string what,
           TopologyDefect wrong = TopologyDefect::masks) {
    findings_.push_back(file_.finding(severity, wrong, device, std::move(what)));
  }

  void masks() {
    if (is_old_ndv5(machine_)) {
      add(Severity::error, "numa 0",
          "these are the masks of ndv5-topo.xml from before 2025-01-27; NUMA 0 and 1 are swapped, and NCCL pins its "
          "threads to the far socket",
          TopologyDefect::masks_swapped);
      return;
    }
    if (words_reversed() || overlap() || empty()) return;
    gap();
  }

  // A dump leaves out NUMA nodes without devices; of the last, only the first threads of its cores may be between
  // others.
  void gap() {
    std::set<int> all;
    std::set<Number> numbers;
    std::size_t smallest = cpus_of_a_mask;
    for (const NumaDomain& domain : machine_.domains) {
      numbers.insert(domain.number);
      if (!domain.cpus) continue;
      all.insert(domain.cpus->begin(), domain.cpus->end());
      smallest = std::min(smallest, domain.cpus->size());
    }
    std::vector<int> gap;
    for (int cpu = 0; !all.empty() && cpu < *all.rbegin(); ++cpu)
      if (!all.contains(cpu)) gap.push_back(cpu);
    const bool has_all_nodes = !numbers.empty() && *numbers.rbegin() < static_cast<std::int64_t>(numbers.size());
    if (!gap.empty() && 2 * gap.size() < smallest && has_all_nodes)
      add(Severity::warning, "", fmt::format("CPUs {} are in no mask", to_text(gap)));
  }

  bool overlap() {
    std::map<int, const NumaDomain*> owner;
    for (const NumaDomain& domain : machine_.domains) {
      std::vector<int> twice;
      const NumaDomain* other = nullptr;
      for (const int cpu : domain.cpus.value_or(std::vector<int>())) {
        const auto [at, fresh] = owner.emplace(cpu, &domain);
        if (fresh || at->second->number == domain.number) continue;
        twice.push_back(cpu);
        other = at->second;
      }
      if (other == nullptr) continue;
      add(Severity::error, name(domain),
          fmt::format("CPUs {} are in the mask of {} too{}", to_text(twice), name(*other),
                      all_the_same() ? ", and all masks are the same, as in the files for NDv4 and NDv2 from before "
                                       "2025-01-29"
                                     : ""));
      return true;
    }
    return false;
  }

  bool empty() {
    const auto at = std::ranges::find_if(machine_.domains,
                                         [](const NumaDomain& domain) { return domain.cpus && domain.cpus->empty(); });
    if (at == machine_.domains.end()) return false;
    add(Severity::warning, name(*at), "the mask holds no CPU, and NCCL ignores it");
    return true;
  }

  bool all_the_same() const {
    return machine_.domains.size() > 1 && std::ranges::all_of(machine_.domains, [&](const NumaDomain& domain) {
             return domain.cpus == machine_.domains.front().cpus;
           });
  }

  // Masks that make no range as they are, and make one each when their words are read the other way round.
  bool words_reversed() {
    int words = 0;
    for (const NumaDomain& domain : machine_.domains) {
      if (!domain.cpus || domain.cpus->empty()) return false;
      words = std::max(words, domain.cpus->back() / 32 + 1);
    }
    bool ranges = true;
    bool reversed_ranges = true;
    for (const NumaDomain& domain : machine_.domains) {
      std::vector<int> reversed;
      for (const int cpu : *domain.cpus) reversed.push_back((words - 1 - cpu / 32) * 32 + cpu % 32);
      std::ranges::sort(reversed);
      ranges = ranges && is_range(*domain.cpus);
      reversed_ranges = reversed_ranges && is_range(reversed);
    }
    if (machine_.domains.empty() || ranges || !reversed_ranges) return false;
    add(Severity::error, name(machine_.domains.front()),
        "the words of the masks are the wrong way round; NCCL reads the first word as the highest CPUs");
    return true;
  }

  static bool is_range(const std::vector<int>& cpus) {
    return cpus.back() - cpus.front() + 1 == static_cast<int>(cpus.size());
  }

  const TopologyFile& file_;
  const Machine& machine_;
  Findings findings_;
};

}  // namespace

Findings lint_masks(const TopologyFile& file) { return MaskLinter(file).run(); }

}  // namespace muster::topology
