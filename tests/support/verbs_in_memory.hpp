// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <infiniband/verbs.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/injected.hpp"

// The devices of verbs_in_memory.cpp, and how they move data, in verbs_in_memory_traffic.cpp.
namespace muster::tests {

struct Queue : ibv_cq {
  std::deque<ibv_wc> ended;
};

struct Device;

struct Pair : ibv_qp {
  Device* far = nullptr;
  std::uint32_t partner = 0;
  __be16 partition = 0;   // its P_Key
  bool is_hasty = false;  // gives up before the answer
  bool is_counted = false;
  std::deque<std::pair<std::uint64_t, ibv_sge>> receives;  // by what they are told of
};

constexpr std::size_t before_faults = 10;  // operations
constexpr std::chrono::milliseconds disturbance{1200};
constexpr std::chrono::milliseconds before_it_is_down{100};

struct Device : ibv_context {
  std::string_view name;
  std::vector<Pair*> pairs;  // by number
  std::size_t operations = 0;
  std::chrono::steady_clock::time_point opened = std::chrono::steady_clock::now();
  std::optional<std::chrono::steady_clock::time_point> failed;  // its first operation that did
  std::mutex mutex;                                             // of all that belongs to it

  bool has_fault(std::string_view fault) const { return is_injected(fault, name); }
  bool is_faulty() const { return operations > before_faults; }
  bool is_lost() const { return failed && std::chrono::steady_clock::now() - *failed > before_it_is_down; }
  bool is_slow() const {
    return has_fault("verbs_slow") ||
           (has_fault("verbs_disturbed") && std::chrono::steady_clock::now() - opened < disturbance);
  }
};

inline Device& device_of(const ibv_qp& pair) { return *static_cast<Device*>(pair.context); }
inline Device& device_of(ibv_context* context) { return *static_cast<Device*>(context); }

// Adds what this device sends to its counters, see tests/support/rdma.hpp.
void count(std::string_view device);

// What a device is asked by its `ops`.
int post_send(ibv_qp* raw, ibv_send_wr* request, ibv_send_wr** refused);
int post_receive(ibv_qp* pair, ibv_recv_wr* request, ibv_recv_wr** refused);
int poll(ibv_cq* raw, int most, ibv_wc* entries);

}  // namespace muster::tests
