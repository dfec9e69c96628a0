// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/owner.hpp"

#include <array>
#include <optional>

#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

struct Folder {
  std::string_view prefix;  // of the component's name
  std::string_view label;
  bool is_numbered = false;  // else other things have such names too: "cpu3" and "cpufreq"
};

constexpr std::array folders_of_devices = {Folder{"sys/class/infiniband/", "nic"},
                                           Folder{"sys/class/nvme/", "drive"},
                                           Folder{"sys/class/net/", "interface"},
                                           Folder{"sys/bus/pci/devices/", "pci"},
                                           Folder{"proc/driver/nvidia/gpus/", "pci"},
                                           Folder{"sys/devices/system/cpu/cpu", "cpu", true},
                                           Folder{"sys/devices/system/node/node", "numa", true},
                                           Folder{"sys/devices/system/edac/mc/mc", "memory_controller", true},
                                           Folder{"sys/block/", "device"},
                                           Folder{"sys/class/block/", "device"},
                                           Folder{"sys/fs/ext4/", "device"}};
constexpr std::string_view ports = "/ports/";

// The first part of a path after this; nothing where there is none.
std::optional<std::string> part_after(std::string_view prefix, std::string_view path) {
  const auto at = path.find(prefix);
  if (at == std::string_view::npos) return std::nullopt;
  path.remove_prefix(at + prefix.size());
  const auto part = path.substr(0, path.find('/'));
  return part.empty() ? std::nullopt : std::optional<std::string>(part);
}

}  // namespace

std::map<std::string, std::string, std::less<>> owner(std::string_view path) {
  std::map<std::string, std::string, std::less<>> labels;
  for (const auto& [prefix, label, is_numbered] : folders_of_devices) {
    if (!path.starts_with(prefix)) continue;
    if (auto name = part_after(prefix, path); name && (!is_numbered || whole_number(*name)))
      labels.emplace(label, *std::move(name));
  }
  if (labels.contains("nic"))
    if (auto port = part_after(ports, path)) labels.emplace("port", *std::move(port));
  return labels;
}

}  // namespace muster::topology
