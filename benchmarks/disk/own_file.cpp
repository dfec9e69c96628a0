// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/own_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "benchmarks/disk/disk_error.hpp"
#include "results/system/random_word.hpp"

namespace muster::benchmarks::disk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_prefix = ".muster-disk-";
constexpr std::size_t header_bytes = 4096;  // as much as direct transfers need at most

// What the first bytes of a file say that is ours: also which file, so that a copy of it is not.
struct alignas(header_bytes) Header {
  std::array<char, header_bytes> text{};

  bool operator==(const Header&) const = default;
};

[[noreturn]] void fail(std::string_view doing, const fs::path& path) {
  throw_error(errno, fmt::format("cannot {} {}", doing, path.string()));
}

struct stat status_of(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) throw_error(errno, "cannot look at a file");
  return status;
}

Header header_of(int file, const fs::path& path) {
  Header header;
  fmt::format_to_n(header.text.begin(), header.text.size(),
                   "muster measures this disk; inode {}, made as {}; it may be deleted when no muster runs\n",
                   status_of(file).st_ino, path.filename().string());
  return header;
}

bool is_stale(const fs::path& path) {
  const results::Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file || !S_ISREG(status_of(file.number()).st_mode)) return false;
  if (flock(file.number(), LOCK_SH | LOCK_NB) != 0) return false;  // NFS: an exclusive one needs a file open to write
  Header found;
  return pread(file.number(), found.text.data(), found.text.size(), 0) == static_cast<ssize_t>(found.text.size()) &&
         found == header_of(file.number(), path);
}

constexpr int access = O_RDWR | O_DIRECT | O_CLOEXEC;
constexpr mode_t mode = S_IRUSR | S_IWUSR;

// Where the file system has files without a name.
results::Descriptor nameless(const fs::path& folder) {
  return results::Descriptor(open(folder.c_str(), O_TMPFILE | O_EXCL | access, mode));
}

// Its name is gone once it is locked and holds its header.
results::Descriptor named(const fs::path& folder) {
  const fs::path path = folder / fmt::format("{}{}", name_prefix, results::random_word());
  results::Descriptor file(open(path.c_str(), O_CREAT | O_EXCL | access, mode));
  if (!file && errno == EINVAL) {
    unlink(path.c_str());  // it was made before it was refused (open(2), O_DIRECT)
    throw Error(fmt::format("the file system of {} does not take direct transfers (O_DIRECT)", folder.string()));
  }
  if (!file) fail("create a file in", folder);
  flock(file.number(), LOCK_EX);  // where there are no locks, nobody takes the file for a stale one either
  const auto header = header_of(file.number(), path);
  const auto written = pwrite(file.number(), header.text.data(), header.text.size(), 0);
  const int why = errno;
  // Not unlink(2), which removes other files, too: a test kills a run in this call.
  if (unlinkat(AT_FDCWD, path.c_str(), 0) != 0) fail("remove the name of its own file in", folder);
  errno = why;
  if (written != static_cast<ssize_t>(header.text.size())) fail("write to a file in", folder);
  return file;
}

}  // namespace

OwnFile::OwnFile(const fs::path& folder, std::uint64_t data_bytes) : data_bytes_(data_bytes) {
  // Some file systems would fill up before they refuse.
  if (const auto there = room(folder); there.bytes > 0 && there.available < data_begin + data_bytes_)
    throw Error(fmt::format("a file of {} bytes does not fit into {}", data_bytes_, folder.string()));
  file_ = nameless(folder);
  if (!file_) file_ = named(folder);
  const auto bytes = static_cast<off_t>(data_begin + data_bytes_);
  if (fallocate(number(), 0, 0, bytes) != 0 && errno != EOPNOTSUPP) fail("reserve space in", folder);
}

Room room(const fs::path& folder) {
  struct statvfs found {};
  if (statvfs(folder.c_str(), &found) != 0) fail("find the space of", folder);
  return {.bytes = found.f_blocks * found.f_frsize, .available = found.f_bavail * found.f_frsize};
}

std::size_t remove_stale_files(const fs::path& folder) {
  std::size_t removed = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto& path = entry->path();
    if (path.filename().string().starts_with(name_prefix) && is_stale(path) && unlink(path.c_str()) == 0) ++removed;
  }
  return removed;
}

}  // namespace muster::benchmarks::disk
