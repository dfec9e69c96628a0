// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/memory/memory.hpp"
#include "benchmarks/verbs/handles.hpp"
#include "benchmarks/verbs/port.hpp"
#include "benchmarks/verbs/region.hpp"

namespace muster::benchmarks::verbs {

enum class RdmaOperation { write, read, send };

std::string_view to_text(RdmaOperation operation);

// Of one connection; perftest's habit is one.
constexpr std::size_t max_queue_pairs = 32;

// Of those that make a port a full member, the greatest, as many as its partner is told.
constexpr std::size_t max_partitions = 16;

// How long an adapter waits for an answer before it sends again, as an exponent: 4.096 us * 2^14 = 67 ms (IBTA, local
// ack timeout). Adapters may take four times as long; with the longest, 1.07 s, they still send again in
// `completion_timeout`.
constexpr std::size_t usual_timeout = 14;  // as perftest
constexpr std::size_t max_timeout = 18;

// Of a packet: IBV_MTU_256 is 1, and each that follows is twice as large.
constexpr std::size_t bytes_of(ibv_mtu mtu) { return std::size_t{128} << mtu; }

// That an end waits for anything to complete.
constexpr std::chrono::seconds completion_timeout(5);

// What a partner must know of a connection and its memory.
struct ConnectionAddress {
  std::array<std::uint32_t, max_queue_pairs> numbers{};  // of the queue pairs
  std::uint16_t lid = 0;
  ibv_gid gid{};
  std::array<std::uint16_t, max_partitions> partitions{};  // P_Keys, then zeros
  ibv_mtu mtu = IBV_MTU_256;                               // of its port
  std::uint64_t memory = 0;
  std::uint32_t key = 0;
};

// Reliable queue pairs (RC) of a port, with memory that they and their partners read and write.
class Connection {
 public:
  struct Shape {
    std::size_t slot_bytes = 0;
    std::size_t queue_pairs = 1;  // at most max_queue_pairs
    std::size_t depth = 1;        // operations of each direction that may be under way on each
    std::size_t timeout = usual_timeout;
    bool inlines = false;  // what fits goes to the adapter with the post itself
  };

  // The memory is of equal slots, must outlive this, and is registered. Throws Error.
  Connection(const RdmaPort& port, Memory& memory, const Shape& shape);

  ConnectionAddress address() const;
  const std::string& gpudirect() const { return region_.gpudirect; }
  // In the greatest partition that both ports are full members of, by packets as large as both take. Throws Error.
  void connect(const ConnectionAddress& partner);

  // By a queue pair, operations on so many slots, at most its depth, from one on, around the end of its part of the
  // memory, which is as large as that of any other queue pair, each with the same slot of the partner; the last one
  // tells when it is complete, and with it all before. Throws Error.
  void post(std::size_t queue_pair, RdmaOperation operation, std::size_t first_slot, std::size_t slots);
  // A buffer for a message of the partner; tells when it is full.
  void post_receive(std::size_t queue_pair, std::size_t slot);
  // A message without data that tells the partner of the end, by the first queue pair; tells when it is complete.
  // Throws Error.
  void post_mark();

  struct Completed {
    std::size_t posts = 0;     // of this end
    std::size_t messages = 0;  // of the partner
    bool mark = false;         // its mark is among them
  };
  // What is complete since the last call, of each queue pair. Throws Error when one failed, with the reason.
  const std::vector<Completed>& completed();

 private:
  // Where a slot of a queue pair lies in the memory, of this end as of the partner.
  std::size_t offset_of(std::size_t queue_pair, std::size_t slot) const;
  ibv_sge element(std::size_t queue_pair, std::size_t slot) const;
  void change(std::size_t queue_pair, const ibv_qp_attr& attributes, int mask, std::string_view to) const;
  void connect(std::size_t queue_pair, std::uint16_t partition_index);
  std::uint16_t common_partition() const;

  const RdmaPort& port_;
  std::span<std::byte> memory_;
  Shape shape_;
  std::size_t slots_;  // of each queue pair
  unsigned inline_flag_;
  ProtectionDomain domain_;
  Region region_;
  CompletionQueue queue_;
  std::vector<QueuePair> pairs_;
  ConnectionAddress partner_;
  std::vector<ibv_sge> elements_;
  std::vector<ibv_send_wr> requests_;
  std::array<ibv_wc, 16> ended_{};
  std::vector<Completed> completed_;
};

}  // namespace muster::benchmarks::verbs
