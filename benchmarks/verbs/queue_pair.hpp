// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/verbs/handles.hpp"
#include "benchmarks/verbs/port.hpp"

namespace muster::benchmarks {

enum class RdmaOperation { write, read, send };

std::string_view to_text(RdmaOperation operation);

// What a partner must know of a queue pair and its memory.
struct QueuePairAddress {
  std::uint32_t number = 0;
  std::uint16_t lid = 0;
  ibv_gid gid{};
  ibv_mtu mtu = IBV_MTU_256;
  std::uint64_t memory = 0;
  std::uint32_t key = 0;
};

// A reliable connection (RC) of a port, with memory that it and its partner read and write.
class QueuePair {
 public:
  // The memory is of equal slots, must outlive this, and is locked; `depth` operations of each direction may be under
  // way. With `inlines`, what fits goes to the adapter with the post itself. Throws Error; where memory cannot be
  // locked, with the limit that forbids it.
  QueuePair(const RdmaPort& port, std::span<std::byte> memory, std::size_t slot_bytes, std::size_t depth, bool inlines);

  QueuePairAddress address() const;
  void connect(const QueuePairAddress& partner);

  // Operations on so many slots, at most `depth`, from one on, around the end of the memory, each with the same slot of
  // the partner; the last one tells when it is complete, and with it all before. Throws Error.
  void post(RdmaOperation operation, std::size_t first_slot, std::size_t slots);
  // A buffer for a message of the partner; tells when it is full.
  void post_receive(std::size_t slot);
  // A message without data that tells the partner of the end; tells when it is complete. Throws Error.
  void post_mark();

  struct Completed {
    std::size_t posts = 0;     // of this end
    std::size_t messages = 0;  // of the partner
    bool mark = false;         // its mark is among them
  };
  // What is complete since the last call. Throws Error when one failed, with the reason.
  Completed completed();

 private:
  std::size_t slots() const { return memory_.size() / slot_bytes_; }
  ibv_sge element(std::size_t slot) const;
  void change(const ibv_qp_attr& attributes, int mask, std::string_view to) const;

  const RdmaPort& port_;
  std::span<std::byte> memory_;
  std::size_t slot_bytes_;
  unsigned inline_flag_;
  ProtectionDomain domain_;
  MemoryRegion region_;
  CompletionQueue queue_;
  RawQueuePair pair_;
  QueuePairAddress partner_;
  std::vector<ibv_sge> elements_;
  std::vector<ibv_send_wr> requests_;
};

}  // namespace muster::benchmarks
