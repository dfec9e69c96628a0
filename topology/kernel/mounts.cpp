// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/mounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "topology/kernel/error.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

constexpr std::size_t octal_digits = 3;

// "/my\\040data" -> "/my data"
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    int code = 0;
    const auto* const digits = text.data() + at + 1;
    if (text[at] == '\\' && at + octal_digits < text.size() &&
        std::from_chars(digits, digits + octal_digits, code, 8).ptr == digits + octal_digits) {
      plain += static_cast<char>(code);
      at += octal_digits;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

}  // namespace

std::vector<Mount> mounts(std::string_view mountinfo) {
  std::vector<Mount> found;
  for (const auto line : lines(mountinfo)) {
    const auto field = words(line);
    const auto dash = std::ranges::find(field, "-");  // after it: type, source, which may be empty, and options
    if (dash - field.begin() < 6 || field.end() - dash < 3)
      throw Error("'" + std::string(line) + "' is not a line of mountinfo");
    found.push_back({.device = std::string(field[2]),
                     .root = unescaped(field[3]),
                     .point = unescaped(field[4]),
                     .point_options = std::string(field[5]),
                     .type = std::string(dash[1]),
                     .source = field.end() - dash > 3 ? unescaped(dash[2]) : "",
                     .options = std::string(field.back())});
  }
  if (found.empty()) throw Error("it has no mount, and every process has one");
  return found;
}

std::vector<Mount> mounts_of_table(std::string_view table) {
  std::vector<Mount> found;
  for (const auto line : lines(table)) {
    const auto field = words(line);  // source, place, type, options, and two numbers for dump and fsck
    if (field.size() < 4) throw Error("'" + std::string(line) + "' is not a line of a table of mounts");
    found.push_back({.device = {},
                     .root = "/",
                     .point = unescaped(field[1]),
                     .point_options = std::string(field[3]),
                     .type = std::string(field[2]),
                     .source = unescaped(field[0]),
                     .options = std::string(field[3])});
  }
  return found;
}

std::optional<Mount> mount_above(const std::vector<Mount>& mounts, const std::string& folder) {
  const auto as_folder = [](const std::string& path) { return path.ends_with('/') ? path : path + '/'; };
  std::optional<Mount> found;
  for (const auto& mount : mounts)
    if (as_folder(folder).starts_with(as_folder(mount.point)) && (!found || mount.point.size() >= found->point.size()))
      found = mount;
  return found;
}

std::optional<std::string> block_device(const Sysfs& sysfs, const Mount& mount) {
  if (auto name = sysfs.link_name("sys/dev/block/" + mount.device)) return name;
  if (mount.type != "btrfs" || !mount.source.starts_with("/dev/")) return std::nullopt;
  const auto file = mount.source.substr(1);
  const auto name = sysfs.link_name(file).value_or(file.substr(file.rfind('/') + 1));  // of /dev/mapper are links
  for (const auto& filesystem : sysfs.list("sys/fs/btrfs"))
    if (sysfs.list(fmt::format("sys/fs/btrfs/{}/devices", filesystem)) == std::vector{name}) return name;
  return std::nullopt;
}

}  // namespace muster::topology
