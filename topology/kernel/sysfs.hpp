// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/system/descriptor.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {

// The kernel's files under a root directory: "/" for the live machine, any other for a captured tree.
// The only code of this project that opens them; paths are relative, "sys/class/infiniband".
//
// A file is absent where the kernel says that it does not exist (ENOENT), or that it does not do what the file is about
// (EOPNOTSUPP, ENOSYS: pressure stall information that is switched off). One that is there and cannot be read, or holds
// something else than it must, is damaged: every function here throws Error for it, naming the file, unless a listener
// is told and takes it for absent.
class Sysfs {
 public:
  using Listener = std::function<void(const Error&)>;

  // Throws Error when the root has neither sys nor proc. A link inside a captured tree never leads out of it.
  explicit Sysfs(const std::filesystem::path& root = "/");

  const std::filesystem::path& root() const { return root_; }
  bool live() const { return root_ == "/"; }

  // The same files, of which damaged ones are told to a listener; threads may tell it at the same time.
  Sysfs told_to(Listener listener) const;
  // The same, of which nobody is told.
  Sysfs quiet() const;
  // For code that understands texts: this one is damaged.
  void damaged(const Error& error) const;

  // The text without trailing white space; nothing when the file is absent.
  std::optional<std::string> text(std::string_view path) const;
  // The bytes as they are.
  std::optional<std::string> bytes(std::string_view path) const;
  // The same of a file that its owner rewrites under a lock of fcntl(2), while it does not. Throws Error when it holds
  // the lock for longer than a second.
  std::optional<std::string> settled_bytes(std::string_view path) const;
  // A decimal or 0x number that is the whole text; nothing when absent.
  std::optional<std::int64_t> number(std::string_view path) const;
  // Names in a folder, sorted; empty when absent.
  std::vector<std::string> list(std::string_view path) const;
  bool exists(std::string_view path) const;
  // What a symbolic link says ("../../../devices/pci0001:00/0001:00:00.0"); nothing when it is not a link.
  std::optional<std::string> link(std::string_view path) const;
  // The last component of that ("0001:00:00.0").
  std::optional<std::string> link_name(std::string_view path) const;
  // The path for calls that need one (statvfs, open); empty when its links lead in circles.
  std::filesystem::path path(std::string_view path) const;

 private:
  // Nothing where it is absent.
  std::optional<results::Descriptor> open_to_read(std::string_view path) const;
  std::optional<std::string> rest_of(const results::Descriptor& file, std::string_view path) const;

  std::filesystem::path root_;
  Listener listener_;
};

}  // namespace muster::topology
