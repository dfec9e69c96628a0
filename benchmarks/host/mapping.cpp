// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/mapping.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <system_error>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::host {
namespace {

double* map(std::size_t bytes, Mapping::Pages pages) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw Error(fmt::format("cannot map {} bytes of memory: {}; look at ulimit -v and at vm.overcommit_memory", bytes,
                            std::generic_category().message(errno)));
  // A kernel without huge pages refuses, and small pages serve as well.
  if (pages == Mapping::Pages::huge) madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<double*>(memory);
}

}  // namespace

Mapping::Mapping(std::size_t doubles, Pages pages)
    : memory_(map(doubles * sizeof(double), pages), Unmap{doubles * sizeof(double)}) {}

void Mapping::Unmap::operator()(double* memory) const noexcept { munmap(memory, bytes); }

}  // namespace muster::benchmarks::host
