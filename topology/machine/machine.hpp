// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/cpu/cores.hpp"

namespace muster::topology {

// Everything NCCL 2.30 reads from a topology file, and what this project finds on a machine, in one form, so that both
// can be compared. Text and numbers that are unknown are empty.
using Number = std::optional<std::int64_t>;

struct NvLink {
  std::string target;        // PCI address of the other end
  std::string target_class;  // "0x068000" for a switch
  Number count;
  bool operator==(const NvLink&) const = default;
};

struct C2c {
  Number bandwidth;  // MB/s
  Number count;
  bool operator==(const C2c&) const = default;
};

struct Gpu {
  Number dev;   // index in the job
  Number sm;    // 90
  Number rank;  // the rank that uses it
  Number gdr;   // 1: GPUDirect RDMA
  Number mlopart;
  Number keep;
  std::vector<NvLink> nvlinks;
  std::vector<C2c> c2cs;
  bool operator==(const Gpu&) const = default;
};

struct Net {
  std::string name;  // "mlx5_ib0"
  Number dev;
  Number speed;  // Mbit/s
  Number port;
  std::string guid;     // "0x1ee..."
  std::string latency;  // microseconds
  Number maxconn;
  Number gdr;
  Number coll;
  Number net;
  Number gin;
  Number rma;
  Number rail;
  Number plane;
  Number keep;
  bool operator==(const Net&) const = default;
};

struct Nic {
  std::vector<Net> nets;
  bool operator==(const Nic&) const = default;
};

// The speed is spelled as the kernel and NCCL do: "32.0 GT/s PCIe". To NCCL one that is there and empty is not unknown.
struct PciLink {
  std::optional<std::string> speed;
  Number width;  // lanes
  bool operator==(const PciLink&) const = default;
};

// A PCI device, or a bridge and what is behind it.
struct PciNode {
  std::string address;       // "0001:00:00.0"
  std::string device_class;  // "0x030200"
  PciLink link;
  std::string vendor;  // "0x10de"
  std::string device;
  std::string subsystem_vendor;
  std::string subsystem_device;
  std::vector<Gpu> gpus;           // none until NCCL, or a driver, tells more than the class does
  std::optional<Nic> nic;          // the same
  std::vector<std::string> peers;  // bridges that this one is linked with
  std::vector<PciNode> children;
  bool rdma = false;  // an Ethernet adapter that carries RDMA, on a machine without InfiniBand
  bool operator==(const PciNode&) const = default;
};

// A NUMA node with the devices that are near it.
struct NumaDomain {
  Number number;  // -1: the machine does not tell
  std::optional<std::vector<int>> cpus;
  std::string architecture;  // "x86_64", "arm64", "ppc64"
  std::string vendor;        // "GenuineIntel"
  Number family;
  Number model;
  std::string host_hash;
  std::vector<PciNode> devices;
  std::optional<Nic> nic;  // one that is on no PCI bus
  bool operator==(const NumaDomain&) const = default;
};

struct Machine {
  std::string name;
  std::vector<NumaDomain> domains;
  std::vector<Core> cores;  // in mpirun's order; empty where only a file tells of the machine
  bool operator==(const Machine&) const = default;
};

// Of all NUMA nodes, in rising order.
std::vector<int> all_cpus(const Machine& machine);

// "numa 1"
std::string name(const NumaDomain& domain);

// rdma: an Ethernet adapter that carries RDMA (RoCE, EFA).
enum class DeviceKind { bridge, gpu, infiniband, rdma, ethernet, drive, other };

// From the class as NCCL reads it, or from what is inside the node where that says more.
DeviceKind kind(const PciNode& node);
std::string_view to_text(DeviceKind kind);

// "mlx5_ib0" or "nvme3" by address.
using DeviceNames = std::map<std::string, std::string, std::less<>>;

// Empty for a device without a name.
std::string name_of(const DeviceNames& names, std::string_view address);

// A device where it is. Points into the machine it comes from.
struct DeviceLocation {
  const PciNode* node = nullptr;
  const PciNode* bridge = nullptr;  // right above it; null when there is none
  const NumaDomain* domain = nullptr;
};

// Bridges included, in the order of the machine.
std::vector<DeviceLocation> all_devices(const Machine& machine);

// Those of one kind, by address: the order in which CUDA (CUDA_DEVICE_ORDER=PCI_BUS_ID) and the kernel number them.
std::vector<DeviceLocation> devices(const Machine& machine, DeviceKind kind);

// The NICs that data of GPUs takes, by address: InfiniBand; where there is none, Ethernet with RDMA.
std::vector<DeviceLocation> gpu_nics(const Machine& machine);

// Whether it is a network adapter of any kind.
bool is_nic(const PciNode& node);

// Names of the network devices that a topology file tells, by address.
DeviceNames net_names(const Machine& machine);

// Hashes of the hosts that a dump is of, in its order; NCCL describes several in one file where NVLink joins them.
std::vector<std::string> host_hashes(const Machine& machine);

// "this is a dump of 2 hosts; ...": what is wrong with it, and what to do.
std::string of_several_hosts(std::size_t hosts);

// The first of them alone.
Machine first_host(Machine machine);

// The devices of one kind that are right below this bridge.
std::vector<const PciNode*> below(const PciNode& bridge, DeviceKind kind);

}  // namespace muster::topology
