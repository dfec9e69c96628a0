// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <liburing.h>

#include <vector>

#include "benchmarks/disk/queue.hpp"
#include "benchmarks/host/mapping.hpp"

namespace muster::benchmarks::disk {

// Transfers by io_uring, with the file and, where the limit of locked memory allows, the buffers registered.
class Ring final : public Queue {
 public:
  // Throws Error where the kernel forbids it, or cannot register.
  Ring(int file, std::size_t depth, std::size_t block_bytes, bool registered_buffers);
  ~Ring() override;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  std::size_t depth() const override { return under_way_.size(); }
  std::span<std::byte> buffer(std::size_t slot) override;
  void begin(const Transfer& transfer) override;
  std::span<const std::size_t> finished(std::optional<Time> until) override;

 private:
  void wait(std::optional<Time> until);

  std::size_t block_bytes_;
  bool registered_buffers_;
  host::Mapping memory_;
  io_uring ring_{};
  std::vector<Transfer> under_way_;  // by slot
  std::vector<std::size_t> finished_;
  std::size_t count_ = 0;  // under way
};

}  // namespace muster::benchmarks::disk
