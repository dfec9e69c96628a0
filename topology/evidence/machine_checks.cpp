// SPDX-License-Identifier: Apache-2.0
#include "topology/evidence/evidence.hpp"

#include "topology/kernel/text_fields.hpp"

namespace muster::topology {

// cpu.machine_checks of all CPUs. Source: Linux arch/x86/kernel/irq.c, the line MCE of /proc/interrupts.
std::vector<Counter> machine_checks(const Sysfs& sysfs) {
  const auto text = sysfs.text("proc/interrupts");
  const auto counts = text ? value_of(*text, "MCE", ':') : std::nullopt;
  if (!counts) return {};  // another architecture, or a virtual machine that sees none
  double sum = 0;
  for (const auto word : words(*counts)) {
    const auto count = whole_number(word);
    if (!count) break;  // the words at the end of the line
    sum += static_cast<double>(*count);
  }
  return {{.metric = "cpu.machine_checks", .labels = {}, .value = sum}};
}

}  // namespace muster::topology
