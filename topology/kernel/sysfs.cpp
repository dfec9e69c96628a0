// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/sysfs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <ranges>
#include <system_error>
#include <thread>
#include <utility>

#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

namespace fs = std::filesystem;

constexpr int max_looks = 100;
constexpr std::chrono::milliseconds between_looks{10};
constexpr int max_links = 40;  // the kernel's own limit, path_resolution(7)

fs::path opened(const fs::path& root) {
  std::error_code error;
  auto canonical = fs::canonical(root, error);
  if (error || !(fs::is_directory(canonical / "sys", error) || fs::is_directory(canonical / "proc", error)))
    throw Error("'" + root.string() + "' is not a system tree: it has neither a folder 'sys' nor a folder 'proc'");
  return canonical;
}

// Puts the parts of a path, the last one first, behind those that are to be walked later.
void add_parts(std::vector<std::string>& rest, std::string_view path) {
  const auto later = static_cast<std::ptrdiff_t>(rest.size());
  for (const auto part : std::views::split(path, '/'))
    if (const std::string_view text(part.begin(), part.end()); !text.empty() && text != ".") rest.emplace_back(text);
  std::reverse(rest.begin() + later, rest.end());
}

// What the path would lead to if `root` were the root directory; empty when its links lead in circles.
fs::path inside(const std::string& root, std::string_view path) {
  std::string at = root;
  std::vector<std::string> rest;
  std::array<char, PATH_MAX> target{};
  add_parts(rest, path);
  for (int links = 0; !rest.empty();) {
    const std::string part = std::exchange(rest.back(), {});
    rest.pop_back();
    if (part == "..") {
      if (at != root) at.erase(at.rfind('/'));
      continue;
    }
    const std::string next = at + '/' + part;
    const auto length = readlink(next.c_str(), target.data(), target.size());
    if (length < 0) {
      at = next;
      continue;
    }
    if (++links > max_links) return {};
    const std::string_view text(target.data(), static_cast<std::size_t>(length));
    if (text.starts_with('/')) at = root;
    add_parts(rest, text);
  }
  return at;
}

// Opens such a path: by the kernel (Linux 5.6), for a check of a captured tree spends most of its time here.
results::Descriptor opened_inside(const std::string& root, const std::string& path, int flags) {
  const results::Descriptor top(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  open_how how{.flags = static_cast<unsigned>(flags), .mode = 0, .resolve = RESOLVE_IN_ROOT};
  const auto number = syscall(SYS_openat2, top.number(), path.c_str(), &how, sizeof how);
  const bool cannot = number < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN);
  return results::Descriptor(cannot ? open(inside(root, path).c_str(), flags) : static_cast<int>(number));
}

// ENOTDIR and ELOOP: the path leads to nothing. EOPNOTSUPP and ENOSYS: the kernel, or the driver, does not do it.
bool is_absence(int error) {
  constexpr std::array errors = {ENOENT, ENOTDIR, ELOOP, EOPNOTSUPP, ENOSYS};
  return std::ranges::find(errors, error) != errors.end();
}

Error unreadable(std::string_view path, int error) {
  return {path, "cannot be read: " + std::generic_category().message(error), error};
}

// Whether nobody writes to the file, as far as locks tell: ours is held until the descriptor is closed.
bool is_settled(const results::Descriptor& file) {
  struct flock whole {};
  whole.l_type = F_RDLCK;
  for (int look = 0; look < max_looks; ++look) {
    if (fcntl(file.number(), F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES)) return true;
    std::this_thread::sleep_for(between_looks);
  }
  return false;
}

std::int64_t number_from(std::string_view text) {
  const auto number = whole_number(text);
  if (!number) throw Error("'" + std::string(text) + "' is not a whole number");
  return *number;
}

}  // namespace

Sysfs::Sysfs(const fs::path& root) : root_(opened(root)) {}

Sysfs Sysfs::told_to(Listener listener) const {
  auto told = *this;
  told.listener_ = std::move(listener);
  return told;
}

Sysfs Sysfs::quiet() const {
  return told_to([](const Error&) {});
}

void Sysfs::damaged(const Error& error) const {
  if (!listener_) throw error;
  listener_(error);
}

std::optional<results::Descriptor> Sysfs::open_to_read(std::string_view path) const {
  errno = 0;
  auto file = live() ? results::Descriptor(open(this->path(path).c_str(), O_RDONLY | O_CLOEXEC))
                     : opened_inside(root_.string(), std::string(path), O_RDONLY | O_CLOEXEC);
  if (file) return file;
  if (!is_absence(errno)) damaged(unreadable(path, errno));
  return std::nullopt;
}

std::optional<std::string> Sysfs::rest_of(const results::Descriptor& file, std::string_view path) const {
  std::string all;
  std::array<char, 4096> block{};
  while (true) {
    const auto got = read(file.number(), block.data(), block.size());
    if (got == 0) return all;
    if (got > 0) all.append(block.data(), static_cast<std::size_t>(got));
    if (got > 0 || errno == EINTR) continue;
    if (!is_absence(errno)) damaged(unreadable(path, errno));
    return std::nullopt;
  }
}

std::optional<std::string> Sysfs::bytes(std::string_view path) const {
  const auto file = open_to_read(path);
  return file ? rest_of(*file, path) : std::nullopt;
}

std::optional<std::string> Sysfs::settled_bytes(std::string_view path) const {
  const auto file = open_to_read(path);
  if (!file) return std::nullopt;
  if (!is_settled(*file))
    throw Error(fmt::format("{} was locked by another program for a second", this->path(path).string()));
  return rest_of(*file, path);
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
  if (error && !is_absence(error.value())) damaged(unreadable(path, error.value()));
  std::ranges::sort(names);
  return names;
}

bool Sysfs::exists(std::string_view path) const {
  std::error_code error;
  bool is_there = false;
  if (live()) {
    is_there = fs::exists(this->path(path), error);
  } else {
    errno = 0;
    is_there = static_cast<bool>(opened_inside(root_.string(), std::string(path), O_PATH | O_CLOEXEC));
    if (!is_there) error.assign(errno, std::generic_category());
  }
  if (error && !is_absence(error.value())) damaged(unreadable(path, error.value()));
  return is_there;
}

std::optional<std::string> Sysfs::link(std::string_view path) const {
  const fs::path where(path);
  std::error_code error;
  const auto target = fs::read_symlink(this->path(where.parent_path().string()) / where.filename(), error);
  if (!error) return target.string();
  if (!is_absence(error.value()) && error != std::errc::invalid_argument) damaged(unreadable(path, error.value()));
  return std::nullopt;
}

std::optional<std::string> Sysfs::link_name(std::string_view path) const {
  const auto target = link(path);
  return target ? std::optional(fs::path(*target).filename().string()) : std::nullopt;
}

fs::path Sysfs::path(std::string_view path) const {
  return live() ? root_ / fs::path(path).relative_path() : inside(root_.string(), path);
}

}  // namespace muster::topology
