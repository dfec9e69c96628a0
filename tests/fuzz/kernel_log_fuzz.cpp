// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "topology/kernel/error.hpp"
#include "topology/log/kernel_log.hpp"

namespace {

// A file in memory.
const int file = memfd_create("log", 0);
const std::filesystem::path path = "/proc/self/fd/" + std::to_string(file);

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster::topology;
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  try {
    KernelLog log(path);
    std::size_t bytes = 0;
    std::size_t boot = 0;
    while (const auto message = log.next()) {
      if (message->text.size() > KernelLog::max_bytes || message->boot < boot) std::abort();
      boot = message->boot;
      bytes += message->text.size();
    }
    if (log.problem().size() > 1000 || bytes > LogBytes::max_bytes) std::abort();
  } catch (const Error&) {  // the right answer to what is damaged
  }
  return 0;
}
