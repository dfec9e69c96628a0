// SPDX-License-Identifier: Apache-2.0
#include "topology/sysfs.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "topology/error.hpp"
#include "topology/parsed.hpp"
#include "topology/scan.hpp"

namespace muster::topology {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // the kernel's own limit, path_resolution(7)

fs::path opened(const fs::path& root) {
  std::error_code error;
  auto canonical = fs::canonical(root, error);
  if (error || !(fs::is_directory(canonical / "sys", error) || fs::is_directory(canonical / "proc", error)))
    throw Error("'" + root.string() + "' is not a system tree: it has neither a folder 'sys' nor a folder 'proc'");
  return canonical;
}

// What the path would lead to if `root` were the root directory; empty when its links lead in circles.
fs::path inside(const fs::path& root, const fs::path& path) {
  fs::path at = root;
  std::vector<fs::path> rest;  // last part first
  const auto add = [&rest](const fs::path& parts) {
    const auto middle = rest.insert(rest.end(), parts.begin(), parts.end());
    std::reverse(middle, rest.end());
  };
  add(path);
  for (int links = 0; !rest.empty();) {
    const fs::path part = std::exchange(rest.back(), {});
    rest.pop_back();
    if (part.empty() || part == "." || part == "/") continue;
    if (part == "..") {
      if (at != root) at = at.parent_path();
      continue;
    }
    std::error_code not_a_link;
    const auto target = fs::read_symlink(at / part, not_a_link);
    if (not_a_link) {
      at /= part;
      continue;
    }
    if (++links > most_links) return {};
    if (target.is_absolute()) at = root;
    add(target);
  }
  return at;
}

std::int64_t number_from(std::string_view text) {
  const auto number = whole_number(text);
  if (!number) throw Error("'" + std::string(text) + "' is not a whole number");
  return *number;
}

}  // namespace

Sysfs::Sysfs(const fs::path& root) : root_(opened(root)) {}

std::optional<std::string> Sysfs::bytes(std::string_view path) const {
  std::ifstream file(this->path(path), std::ios::binary);
  std::string all;
  std::array<char, 4096> block{};
  while (file.read(block.data(), block.size()) || file.gcount() > 0)
    all.append(block.data(), static_cast<std::size_t>(file.gcount()));
  if (!file.is_open() || file.bad()) return std::nullopt;
  return all;
}

std::optional<std::string> Sysfs::text(std::string_view path) const {
  auto text = bytes(path);
  if (text) text->erase(text->find_last_not_of(" \t\n\r\v\f") + 1);
  return text;
}

std::optional<std::int64_t> Sysfs::number(std::string_view path) const { return parsed(*this, path, number_from); }

std::vector<std::string> Sysfs::list(std::string_view path) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(this->path(path), error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  return names;
}

bool Sysfs::exists(std::string_view path) const {
  std::error_code error;
  return fs::exists(this->path(path), error);
}

std::optional<std::string> Sysfs::link(std::string_view path) const {
  const fs::path where(path);
  std::error_code error;
  const auto target = fs::read_symlink(this->path(where.parent_path().string()) / where.filename(), error);
  if (error) return std::nullopt;
  return target.string();
}

std::optional<std::string> Sysfs::link_name(std::string_view path) const {
  const auto target = link(path);
  return target ? std::optional(fs::path(*target).filename().string()) : std::nullopt;
}

fs::path Sysfs::path(std::string_view path) const {
  const auto relative = fs::path(path).relative_path();
  return live() ? root_ / relative : inside(root_, relative);
}

}  // namespace muster::topology
