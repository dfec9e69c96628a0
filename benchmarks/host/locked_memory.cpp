// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/locked_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace muster::benchmarks {
namespace {

constexpr std::size_t most_locked = std::size_t{1} << 30;
constexpr std::size_t least_locked = 4096;
constexpr std::size_t touched = std::size_t{16} << 20;

class Reserved {
 public:
  explicit Reserved(std::size_t size)
      : size_(size), address_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (address_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "cannot map memory to lock");
  }
  ~Reserved() { munmap(address_, size_); }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;

  // Pages count against the limit at once and are locked as they are touched, so that little memory is used.
  bool lock(std::size_t bytes) { return mlock2(address_, bytes, MLOCK_ONFAULT) == 0; }
  void touch(std::size_t bytes) { std::memset(address_, 1, bytes); }

 private:
  std::size_t size_;
  void* address_;
};

}  // namespace

std::size_t lockable_bytes() {
  Reserved memory(most_locked);
  for (std::size_t bytes = most_locked; bytes >= least_locked; bytes /= 2) {
    if (!memory.lock(bytes)) continue;
    memory.touch(std::min(bytes, touched));
    return bytes;
  }
  return 0;
}

}  // namespace muster::benchmarks
