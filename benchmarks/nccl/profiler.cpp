// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/nccl/profiler.hpp"

#include <fmt/format.h>
#include <nccl.h>

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "benchmarks/nccl/profiler_v5.hpp"

namespace muster::benchmarks::nccl {
namespace {

constexpr std::string_view prefix = "muster-";

// The object whose name this is; none for a communicator of somebody else.
Routes* routes_of(const char* communicator_name) {
  const std::string_view name = communicator_name == nullptr ? "" : communicator_name;
  if (!name.starts_with(prefix)) return nullptr;
  std::uintptr_t address = 0;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(), address, 16);
  return std::bit_cast<Routes*>(address);
}

std::string text(const char* words) { return words == nullptr ? "" : words; }

ncclResult_t begin(void** context, std::uint64_t, int* wanted, const char* name, int, int, int, void*) {
  *context = routes_of(name);
  *wanted = *context == nullptr ? 0 : profiler_v5::collectives | profiler_v5::sends_and_receives;
  return ncclSuccess;
}

ncclResult_t start_event(void* context, void** event, profiler_v5::Event* description) {
  *event = nullptr;
  auto* routes = static_cast<Routes*>(context);
  if (routes == nullptr) return ncclSuccess;
  if (description->type == profiler_v5::collectives) {
    const auto& call = description->collective;
    routes->add({.algorithm = text(call.algorithm), .protocol = text(call.protocol), .channels = call.channels});
  } else if (description->type == profiler_v5::sends_and_receives) {
    routes->add({.algorithm = "P2P", .protocol = {}, .channels = description->send_or_receive.channels});
  }
  return ncclSuccess;
}

ncclResult_t stop_event(void*) { return ncclSuccess; }
ncclResult_t record_state(void*, int, void*) { return ncclSuccess; }
ncclResult_t end(void*) { return ncclSuccess; }

}  // namespace

std::string Routes::communicator_name() const {
  return fmt::format("{}{:x}", prefix, reinterpret_cast<std::uintptr_t>(this));
}

std::set<Route> Routes::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void Routes::clear() {
  const std::lock_guard lock(mutex_);
  seen_.clear();
}

void Routes::add(Route route) {
  const std::lock_guard lock(mutex_);
  seen_.insert(std::move(route));
}

}  // namespace muster::benchmarks::nccl

// The name by which NCCL looks for it.
extern "C" {
extern const muster::benchmarks::nccl::profiler_v5::Plugin ncclProfiler_v5;  // NOLINT(readability-identifier-naming)
const muster::benchmarks::nccl::profiler_v5::Plugin ncclProfiler_v5 = {
    .name = "muster",
    .init = muster::benchmarks::nccl::begin,
    .start_event = muster::benchmarks::nccl::start_event,
    .stop_event = muster::benchmarks::nccl::stop_event,
    .record_event_state = muster::benchmarks::nccl::record_state,
    .finalize = muster::benchmarks::nccl::end};
}
