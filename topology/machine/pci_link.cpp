// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/pci_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace muster::topology {
namespace {

struct Speed {
  std::string_view text;
  double gigatransfers;
};
// kvDictPciGen in NCCL 2.30's src/graph/topo.cc; the first that the text begins with counts.
constexpr std::array speeds{Speed{"2.5 GT/s", 2.5},     Speed{"5 GT/s", 5},          Speed{"8 GT/s", 8},
                            Speed{"16 GT/s", 16},       Speed{"32 GT/s", 32},        Speed{"5.0 GT/s PCIe", 5},
                            Speed{"8.0 GT/s PCIe", 8},  Speed{"16.0 GT/s PCIe", 16}, Speed{"32.0 GT/s PCIe", 32},
                            Speed{"64.0 GT/s PCIe", 64}};
constexpr std::int64_t usual_width = 16;
constexpr std::int64_t max_lanes = 32;  // the kernel says 255 for a link it does not know

PciLink read_link(const Sysfs& sysfs, const std::string& folder, std::string_view which) {
  const auto file = [&](std::string_view what) { return fmt::format("{}/{}_link_{}", folder, which, what); };
  PciLink link{.speed = sysfs.text(file("speed")), .width = sysfs.number(file("width"))};
  if (link.speed && !nccl_speed(*link.speed)) link.speed.reset();
  if (link.width && (*link.width <= 0 || *link.width > max_lanes)) link.width.reset();
  return link;
}

}  // namespace

std::optional<double> nccl_speed(std::string_view text) {
  const auto* const found =
      std::ranges::find_if(speeds, [text](const Speed& one) { return text.starts_with(one.text); });
  if (found == speeds.end()) return std::nullopt;
  return found->gigatransfers;
}

std::optional<double> total_speed(const PciLink& link) {
  const auto speed = nccl_speed(link.speed.value_or(""));
  const auto width = link.width.value_or(0);
  if (!speed) return std::nullopt;
  return *speed * static_cast<double>(width == 0 ? usual_width : width);
}

std::optional<double> bytes_per_second(const PciLink& link) {
  const auto speed = nccl_speed(link.speed.value_or(""));
  if (!speed || !link.width) return std::nullopt;
  const double code = *speed <= 5 ? 8.0 / 10 : *speed <= 32 ? 128.0 / 130 : 242.0 / 256;
  return *speed * 1e9 * code / 8 * static_cast<double>(*link.width);
}

std::string to_text(const PciLink& link) {
  const auto speed = nccl_speed(link.speed.value_or(""));
  return fmt::format("{} x{}", speed ? fmt::format("{:g} GT/s", *speed) : "?",
                     link.width ? std::to_string(*link.width) : "?");
}

PciLink link_now(const Sysfs& sysfs, const std::string& folder) { return read_link(sysfs, folder, "current"); }

PciLink link_at_most(const Sysfs& sysfs, const std::string& folder) {
  const PciLink device = read_link(sysfs, folder, "max");
  const PciLink port = read_link(sysfs, folder + "/..", "max");
  PciLink least = device;
  if (port.speed && (!least.speed || nccl_speed(*port.speed) < nccl_speed(*least.speed))) least.speed = port.speed;
  if (port.width && (!least.width || *port.width < *least.width)) least.width = port.width;
  return least;
}

}  // namespace muster::topology
