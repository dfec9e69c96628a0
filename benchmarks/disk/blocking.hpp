// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/disk/queue.hpp"
#include "benchmarks/host/mapping.hpp"

namespace muster::benchmarks::disk {

// One transfer at a time, by preadv2 and pwritev2: where io_uring is forbidden.
class Blocking final : public Queue {
 public:
  Blocking(int file, std::size_t block_bytes);

  std::size_t depth() const override { return 1; }
  std::span<std::byte> buffer(std::size_t slot) override;
  void begin(const Transfer& transfer) override;
  std::span<const std::size_t> finished(std::optional<Time> until) override;

 private:
  static constexpr std::size_t only_slot = 0;

  int file_;
  host::Mapping memory_;
  bool done_ = false;
};

}  // namespace muster::benchmarks::disk
