// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "topology/devices/infiniband.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// The bytes that each NIC of this host has sent so far, by its name: of RDMA devices by their ports (port_xmit_data, in
// units of 4 bytes), and of network interfaces. Left out are loopback, IP over InfiniBand, whose bytes the RDMA device
// counts, and interfaces that lie upon others (bonds, VLANs, bridges). Nothing where an RDMA device does not count in
// this way, for what it sends nobody sees. Throws Error naming a file that holds no count.
std::map<std::string, std::int64_t> sent_bytes(const Sysfs& sysfs);

// The same of one port; of a Soft-RoCE device those of the network interface that it lies upon. Nothing where nobody
// counts.
std::optional<std::int64_t> sent_bytes(const Sysfs& sysfs, const Hca& hca, const HcaPort& port);

// Which counter that is: "port_xmit_data", or "tx_bytes of eth0"; empty where nobody counts.
std::string counter_of_sent(const Sysfs& sysfs, const Hca& hca, const HcaPort& port);

}  // namespace muster::topology
