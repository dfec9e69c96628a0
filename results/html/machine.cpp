// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "results/html/escape.hpp"
#include "results/html/picture.hpp"
#include "results/html/svg.hpp"
#include "results/strings/utf8.hpp"

// What a machine has and where it is, as far as facts tell: GPUs, adapters and drives by NUMA node, each with the worst
// of what was said about it.
namespace muster::results::html {
namespace {

constexpr std::size_t max_devices = 64;  // that are drawn of a group
constexpr double machine_width = 880, gap = 10, chip_width = 94, chip_height = 46, group_head = 34;

struct Device {
  std::string kind, name, detail, pci, numa;
  Status status = Status::skip;
};

// "mlx5_ib10" after "mlx5_ib9".
bool comes_before(const std::string& one, const std::string& other) {
  return std::pair(one.size(), one) < std::pair(other.size(), other);
}

struct ByLength {
  bool operator()(const std::string& one, const std::string& other) const { return comes_before(one, other); }
};

struct Machine {
  std::array<std::map<std::string, Device, ByLength>, 3> devices;  // GPUs, adapters, drives
  std::map<std::string, std::string, ByLength> numa;               // memory of each node, where it is told
  std::map<std::string, Status, std::less<>> numa_status;
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kinds{
    std::pair{"gpu", "GPU"}, std::pair{"nic", "adapter"}, std::pair{"drive", "drive"}};

std::string label(const Labels& labels, std::string_view name) {
  const auto at = labels.find(name);
  return at == labels.end() ? "" : at->second;
}

// The device that labels name, once each.
Device* device_of(Machine& machine, const Labels& labels) {
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const auto name = label(labels, kinds.at(kind).first);
    if (name.empty() || name == "all") continue;
    auto& device = machine.devices.at(kind)[name];
    device.kind = kinds.at(kind).second;
    device.name = kind == 0 ? "GPU " + name : name;
    if (const auto pci = label(labels, "pci"); !pci.empty()) device.pci = pci;
    return &device;
  }
  return nullptr;
}

void add_fact(Machine& machine, const Measurement& fact, const Labels& labels) {
  const auto subject = subject_of(fact.metric);
  if (subject == "numa_memory") machine.numa[label(labels, "numa")] = to_text(fact.value);
  auto* device = device_of(machine, labels);
  if (device == nullptr) return;
  const auto* text = std::get_if<std::string>(&fact.value);
  if ((subject == "numa_node" || subject == "gpu_numa_node") && text != nullptr) device->numa = *text;
  const bool is_detail =
      subject == "gpu_model" || subject == "model" || subject == "port_rate" || subject == "drive_model";
  if (is_detail || (subject == "rate" && device->detail.empty() && check_of(fact.metric) == "ib_link"))
    device->detail = to_text(fact.value);
}

Machine machine_of(const Report& report, const std::string& host) {
  Machine machine;
  for (const CheckRun& run : report.checks) {
    if (run.host != host) continue;
    const auto whole = [&](Labels labels) {
      labels.insert(run.component.begin(), run.component.end());
      return labels;
    };
    for (const Measurement& fact : run.measurements) add_fact(machine, fact, whole(fact.labels));
    for (const Verdict& verdict : run.verdicts) {
      const auto labels = whole(verdict.labels);
      if (auto* device = device_of(machine, labels)) device->status = std::max(device->status, verdict.status);
      if (const auto numa = label(labels, "numa"); machine.numa.contains(numa))
        machine.numa_status[numa] = std::max(machine.numa_status[numa], verdict.status);
    }
  }
  return machine;
}

struct Group {
  std::string title, detail;
  Status status = Status::skip;
  std::vector<const Device*> devices;
};

// A group for each NUMA node, after what the report gives no place.
std::vector<Group> groups_of(const Machine& machine) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t, ByLength> by_numa;
  Group placeless{.title = "Where on the machine is not told", .detail = {}, .devices = {}};
  for (const auto& [number, memory] : machine.numa) {
    const auto status = machine.numa_status.find(number);
    by_numa[number] = groups.size();
    groups.push_back(
        {"NUMA node " + number, memory, status == machine.numa_status.end() ? Status::skip : status->second, {}});
  }
  for (const auto& kind : machine.devices)
    for (const auto& [name, device] : kind) {
      if (const auto at = by_numa.find(device.numa); at != by_numa.end())
        groups[at->second].devices.push_back(&device);
      else
        placeless.devices.push_back(&device);
    }
  const bool only_gpus = std::ranges::all_of(placeless.devices, [](const auto* each) { return each->kind == "GPU"; });
  if (only_gpus)
    placeless.title = fmt::format("{} GPU{}", placeless.devices.size(), placeless.devices.size() == 1 ? "" : "s");
  if (!placeless.devices.empty()) groups.insert(groups.begin(), std::move(placeless));
  return groups;
}

// "H100 80GB" of "NVIDIA H100 80GB HBM3": what there is room for. Every GPU here has that maker.
std::string_view short_model(std::string_view model) {
  constexpr std::string_view maker = "NVIDIA ";
  if (model.starts_with(maker)) model.remove_prefix(maker.size());
  const auto second = model.find(' ');
  return second == model.npos ? model : model.substr(0, model.find(' ', second + 1));
}

std::size_t drawn_of(const Group& group) { return std::min(group.devices.size(), max_devices); }

struct Slot {
  std::size_t row = 0, column = 0;
};

// Of each device that is drawn: every kind begins a row of its own.
std::vector<Slot> slots_of(const Group& group, std::size_t in_row) {
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < drawn_of(group); ++i) {
    Slot slot = slots.empty() ? Slot() : slots.back();
    if (i > 0 && (group.devices[i]->kind != group.devices[i - 1]->kind || slot.column + 1 == in_row))
      slot = {slot.row + 1, 0};
    else if (i > 0)
      ++slot.column;
    slots.push_back(slot);
  }
  return slots;
}

double height_of(const Group& group, std::size_t in_row) {
  const auto slots = slots_of(group, in_row);
  return group_head + (slots.empty() ? 0 : static_cast<double>(slots.back().row + 1) * (chip_height + gap) + 2);
}

void draw(Svg& svg, const Device& device, Point at) {
  svg.begin_group(fmt::format("{} {}, {}, PCI {}: {}", device.kind, device.name, device.detail,
                              device.pci.empty() ? "not told" : device.pci, to_text(device.status)));
  svg.box(fmt::format("chip k-{} b-{}", device.kind == "GPU" ? "gpu" : device.kind, to_text(device.status)), at,
          chip_width, chip_height, 6);
  svg.sign(device.status, {at.x + 14, at.y + 17}, 11);
  svg.text("chip-name", {at.x + 25, at.y + 21}, shortened(device.name, 10));
  svg.text("chip-detail", {at.x + 8, at.y + 37},
           shortened(device.detail.empty() ? device.pci : short_model(device.detail), 13));
  svg.end_group();
}

void draw(Svg& svg, const Group& group, Point corner, double group_width, double height, std::size_t in_row) {
  svg.box("group", corner, group_width, height, 8);
  svg.text("group-title", {corner.x + gap + 2, corner.y + 22}, group.title);
  if (group.status >= Status::warn) svg.sign(group.status, {corner.x + group_width - 18, corner.y + 17}, 13);
  svg.text("group-detail", {corner.x + group_width - (group.status >= Status::warn ? 34 : 14), corner.y + 22},
           group.detail, Anchor::end);
  const auto slots = slots_of(group, in_row);
  for (std::size_t i = 0; i < slots.size(); ++i)
    draw(svg, *group.devices[i],
         {corner.x + gap + static_cast<double>(slots[i].column) * (chip_width + gap),
          corner.y + group_head + static_cast<double>(slots[i].row) * (chip_height + gap)});
}

std::string drawn(const Picture& picture, const std::vector<Group>& groups) {
  const bool side_by_side =
      std::ranges::count(groups, true, [](const Group& each) { return each.title.starts_with("NUMA"); }) % 2 == 0;
  struct Place {
    Point corner;
    double width, height;
    std::size_t in_row;
  };
  std::vector<Place> places;
  double y = 2;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool is_pair = side_by_side && groups[i].title.starts_with("NUMA") && i + 1 < groups.size();
    if (!is_pair) {
      places.push_back({{2, y}, machine_width - 4, height_of(groups[i], 8), 8});
    } else {
      const double half = (machine_width - 4 - gap) / 2,
                   height = std::max(height_of(groups[i], 4), height_of(groups[i + 1], 4));
      places.push_back({{2, y}, half, height, 4});
      places.push_back({{2 + half + gap, y}, half, height, 4});
      ++i;
    }
    y += places.back().height + gap;
  }
  Svg svg(picture.name, picture.title, picture.caption, machine_width, y);
  for (std::size_t i = 0; i < groups.size(); ++i)
    draw(svg, groups[i], places[i].corner, places[i].width, places[i].height, places[i].in_row);
  return std::move(svg).finished();
}

}  // namespace

std::vector<Picture> machine(const Report& report) {
  std::vector<Picture> found;
  for (const Host& host : report.hosts) {
    if (found.size() == max_pictures) break;
    const auto whole = machine_of(report, host.name);
    const auto groups = groups_of(whole);
    if (std::ranges::all_of(groups, [](const Group& each) { return each.devices.empty(); })) continue;
    Picture picture{.name = identifier("machine", found.size() + 1, host.name),
                    .title = "The machine " + host.name,
                    .caption = "Each box has the worst verdict about that device; a dash was not judged.",
                    .drawing = {},
                    .head = {"Device", "Kind", "NUMA node", "PCI address", "What it is", "Status"},
                    .rows = {}};
    for (const auto& kind : whole.devices)
      for (const auto& [name, device] : kind)
        picture.rows.push_back({device.name, device.kind, device.numa.empty() ? "not told" : device.numa, device.pci,
                                device.detail, std::string(to_text(device.status))});
    picture.drawing = drawn(picture, groups);
    found.push_back(std::move(picture));
  }
  return found;
}

}  // namespace muster::results::html
