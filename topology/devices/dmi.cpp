// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/dmi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view table_file = "sys/firmware/dmi/tables/DMI";
constexpr unsigned memory_device_type = 17;
constexpr unsigned end_of_table_type = 127;
constexpr std::size_t header_size = 4;  // type, length, handle
constexpr int max_slots_per_channel = 3;

// One structure: its formatted area and the strings behind it.
struct Structure {
  std::string_view formatted;
  std::string_view strings;

  // Little-endian; 0, which means "not told", where the structure is too short to hold it.
  unsigned long field(std::size_t at, std::size_t size) const {
    unsigned long value = 0;
    if (at + size > formatted.size()) return 0;
    for (std::size_t byte = size; byte-- > 0;) value = value << 8 | static_cast<unsigned char>(formatted[at + byte]);
    return value;
  }

  // Strings are numbered from 1; 0 is none.
  std::string text(std::size_t at) const {
    auto rest = strings;
    for (auto number = field(at, 1); number > 0; --number) {
      const auto end = rest.find('\0');
      if (number == 1) return std::string(rest.substr(0, end));
      if (end == std::string_view::npos) return {};
      rest.remove_prefix(end + 1);
    }
    return {};
  }
};

// Takes the first structure off the table.
Structure next_structure(std::string_view& table) {
  const std::size_t length = table.size() < header_size ? 0 : static_cast<unsigned char>(table[1]);
  const auto end = length < header_size ? std::string_view::npos : table.find(std::string_view("\0\0", 2), length);
  if (end == std::string_view::npos) throw Error("an SMBIOS structure runs beyond the end of the table");
  const Structure structure{table.substr(0, length), table.substr(length, end - length)};
  table.remove_prefix(end + 2);
  return structure;
}

MemoryDevice memory_device(const Structure& structure) {
  constexpr unsigned long not_told = 0xffff;
  MemoryDevice device{.locator = structure.text(0x10),
                      .bank_locator = structure.text(0x11),
                      .populated = structure.field(0x0c, 2) != 0,
                      .transfers_per_second = std::nullopt,
                      .data_width_bits = std::nullopt};
  if (const auto width = structure.field(0x0a, 2); width != 0 && width != not_told)
    device.data_width_bits = static_cast<int>(width);
  auto speed = structure.field(0x20, 2);
  if (speed == not_told) speed = structure.field(0x58, 4);
  if (speed != 0) device.transfers_per_second = static_cast<double>(speed) * 1e6;
  return device;
}

bool letter_or_digit(char character) { return std::isalnum(static_cast<unsigned char>(character)) != 0; }

// "P0 CHANNEL A", "P0_Node0_Channel1_Dimm0" -> up to the channel's own letter or number.
std::optional<std::string> up_to_channel(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  const auto word = upper.find("CHANNEL");
  if (word == std::string::npos) return std::nullopt;
  const auto start = std::find_if(upper.begin() + static_cast<std::ptrdiff_t>(word) + 7, upper.end(), letter_or_digit);
  const auto end = std::find_if_not(start, upper.end(), letter_or_digit);
  if (start == end) return std::nullopt;
  return std::string(upper.begin(), end);
}

// "P1-DIMMA1", "CPU0_DIMM_A1" -> without the slot's number.
std::optional<std::string> up_to_slot(std::string_view text) {
  const auto last = text.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == text.size() || text.find("DIMM") == std::string_view::npos)
    return std::nullopt;
  const auto before = last == 0 ? std::string_view::npos : text.find_last_not_of("_- ", last - 1);
  const bool one_letter_after_dimm = std::isupper(static_cast<unsigned char>(text[last])) != 0 &&
                                     before != std::string_view::npos && text.substr(0, before + 1).ends_with("DIMM");
  if (!one_letter_after_dimm) return std::nullopt;
  return std::string(text.substr(0, last + 1));
}

std::optional<std::string> channel_of(const MemoryDevice& device) {
  if (auto channel = up_to_channel(device.bank_locator)) return channel;
  if (auto channel = up_to_channel(device.locator)) return channel;
  return up_to_slot(device.locator);
}

struct Channel {
  std::string name;
  double transfers_per_second = 0;
  int width_bits = 0;
};

// The channel as this slot tells it; nothing when it leaves something out.
std::optional<Channel> told_by(const MemoryDevice& device) {
  auto name = channel_of(device);
  if (!name || !device.transfers_per_second || !device.data_width_bits) return std::nullopt;
  return Channel{std::move(*name), *device.transfers_per_second, *device.data_width_bits};
}

bool names_tell_channels(std::span<const MemoryDevice> devices) {
  std::map<std::string, int> slots;
  for (const auto& device : devices)
    if (const auto name = channel_of(device)) ++slots[*name];
  return std::ranges::all_of(slots, [](const auto& channel) { return channel.second <= max_slots_per_channel; });
}

std::string in_words(const std::vector<Channel>& channels) {
  std::set<std::string> kinds;
  for (const auto& channel : channels)
    kinds.insert(fmt::format("{:.0f} MT/s, {} B wide", channel.transfers_per_second / 1e6, channel.width_bits / 8));
  return fmt::format("DMI: {} memory channels of {}", channels.size(), fmt::join(kinds, " or "));
}

}  // namespace

std::vector<MemoryDevice> memory_devices(std::string_view table) {
  std::vector<MemoryDevice> devices;
  while (!table.empty()) {
    const auto structure = next_structure(table);
    const auto type = structure.field(0, 1);
    if (type == end_of_table_type) break;
    if (type == memory_device_type) devices.push_back(memory_device(structure));
  }
  return devices;
}

std::optional<BandwidthLimit> memory_bandwidth_limit(std::span<const MemoryDevice> devices) {
  if (!names_tell_channels(devices)) return std::nullopt;
  std::vector<Channel> channels;
  for (const auto& device : devices) {
    if (!device.populated) continue;
    const auto told = told_by(device);
    if (!told) return std::nullopt;
    const auto known = std::ranges::find(channels, told->name, &Channel::name);
    if (known == channels.end())
      channels.push_back(*told);
    else
      known->transfers_per_second = std::min(known->transfers_per_second, told->transfers_per_second);
  }
  if (channels.empty()) return std::nullopt;
  BandwidthLimit limit{.bytes_per_second = 0, .source = in_words(channels)};
  for (const auto& channel : channels) limit.bytes_per_second += channel.transfers_per_second * channel.width_bits / 8;
  return limit;
}

std::optional<BandwidthLimit> memory_bandwidth_limit(const Sysfs& sysfs) {
  const auto table = sysfs.quiet().bytes(table_file);
  if (!table) return std::nullopt;
  try {
    return memory_bandwidth_limit(memory_devices(*table));
  } catch (const Error& error) {
    throw Error(table_file, error.what());
  }
}

}  // namespace muster::topology
