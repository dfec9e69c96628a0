// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <cstddef>
#include <cstdint>

// NCCL's profiler interface, version 5 (NCCL 2.28 and newer), as far as it is used here: declared anew, because NCCL
// installs no header for it. Source: NCCL user guide, profiler plug-in; NVIDIA/nccl plugins/profiler/README.md.
namespace muster::benchmarks::nccl::profiler_v5 {

constexpr int collectives = 1 << 1;
constexpr int sends_and_receives = 1 << 2;

struct Event {
  struct Collective {
    std::uint64_t sequence_number;
    const char* function;
    const void* send;
    void* receive;
    std::size_t count;
    int root;
    const char* type;
    std::uint8_t channels;
    std::uint8_t warps;
    const char* algorithm;
    const char* protocol;
    void* parent_group;
  };
  struct SendOrReceive {
    const char* function;
    void* buffer;
    const char* type;
    std::size_t count;
    int peer;
    std::uint8_t channels;
    void* parent_group;
  };

  std::uint64_t type;
  void* parent;
  int rank;
  union {
    Collective collective;
    SendOrReceive send_or_receive;
  };
};

struct Plugin {
  const char* name;
  ncclResult_t (*init)(void** context, std::uint64_t communicator, int* wanted_events, const char* communicator_name,
                       int nodes, int ranks, int rank, void* log);
  ncclResult_t (*start_event)(void* context, void** event, Event* description);
  ncclResult_t (*stop_event)(void* event);
  ncclResult_t (*record_event_state)(void* event, int state, void* arguments);
  ncclResult_t (*finalize)(void* context);
};

// Where NCCL's own compiler puts them on 64-bit Linux.
static_assert(offsetof(Event, collective) == 24);
static_assert(offsetof(Event::Collective, channels) == 56);
static_assert(offsetof(Event::Collective, algorithm) == 64);
static_assert(offsetof(Event::Collective, protocol) == 72);
static_assert(sizeof(Event::Collective) == 88);
static_assert(offsetof(Event::SendOrReceive, channels) == 36);
static_assert(sizeof(Event) == 112);
static_assert(sizeof(Plugin) == 48);

}  // namespace muster::benchmarks::nccl::profiler_v5
