// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/installation.hpp"

#include <dlfcn.h>

#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {
namespace {

constexpr char somewhere_in_library = 0;

std::filesystem::path loaded_library() {
  Dl_info info{};
  return dladdr(&somewhere_in_library, &info) == 0 ? "" : info.dli_fname;
}

}  // namespace

Installation installation() {
  const auto bin = std::filesystem::read_symlink(topology::Sysfs().path("proc/self/exe")).parent_path();
  const auto share = bin.parent_path() / "share" / "muster";
  return {.bin = bin,
          .library = loaded_library(),
          .profiles = share / "profiles",
          .messages = share / "messages",
          .faults = share / "faults.json",
          .kernel_messages = share / "kernel_messages.json",
          .metrics = share / "metrics.json",
          .topologies = share / "topology"};
}

}  // namespace muster::healthcheck
