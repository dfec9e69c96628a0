// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "topology/counters/counters.hpp"

// Error counters by where they come from. Each source is a file of this folder, with the function of its name; the
// build lists them. It gives nothing where the machine does not have it, and throws Error naming a file that holds no
// count.
namespace muster::topology {

using EvidenceSource = std::vector<Counter> (*)(const Sysfs& sysfs);

// All of them.
std::span<const EvidenceSource> evidence_sources();

// Those that checks also read by themselves.
// pcie_aer.correctable, .nonfatal, .fatal for each PCI device: the TOTAL_ERR line of aer_dev_*.
std::vector<Counter> pcie_aer(const Sysfs& sysfs);
// edac.correctable, edac.uncorrectable for each memory controller.
std::vector<Counter> edac(const Sysfs& sysfs);
// cpu.thermal_throttle for each CPU package and core that reports one.
std::vector<Counter> thermal_throttle(const Sysfs& sysfs);
// infiniband.link_downed, .symbol_error ... for each port of each RDMA device, under the names of the kernel's files,
// and infiniband.carrier_changes of its network interfaces.
std::vector<Counter> infiniband(const Sysfs& sysfs);
// network.rx_errors, .rx_crc_errors, .tx_errors, .tx_carrier_errors for each network interface of hardware.
std::vector<Counter> network(const Sysfs& sysfs);
// block.io_errors for each SCSI disk, filesystem.errors for each ext4 file system, by device.
std::vector<Counter> block_devices(const Sysfs& sysfs);
// cpu.stolen_ms, the time that a hypervisor gave to others while this machine's CPUs had work; memory.stalled_ms, the
// time that some task waited for memory; memory.oom_kills. Source: Linux proc_stat(5),
// Documentation/accounting/psi.rst.
std::vector<Counter> pressure(const Sysfs& sysfs);

// Whether a counter stands at the most that it can count: those of InfiniBand ports stay there (IBTA, PortCounters).
bool saturated(std::string_view metric, double value);

// The number in the TOTAL_ERR line of an aer_dev_* file. Throws Error quoting the text when there is none.
std::int64_t aer_total(std::string_view text);
// Clock ticks in the line "cpu" of /proc/stat. Throws Error where it has none.
double stolen_ticks(std::string_view stat);
// In the line "some" of /proc/pressure/memory. Throws Error where it has none.
double stalled_microseconds(std::string_view pressure);
// In /proc/vmstat; nothing where the kernel does not count them. Throws Error when it is no count.
std::optional<double> oom_kills(std::string_view vmstat);

}  // namespace muster::topology
