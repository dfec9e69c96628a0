// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace muster::benchmarks {

// How far a process has come in what all ranks of its job do together. One thread counts, any may look.
class Steps {
 public:
  // The process is inside an operation as long as this lives; they do not nest.
  class Inside {
   public:
    explicit Inside(Steps& steps) : steps_(steps) { steps_.next(); }
    ~Inside() { steps_.next(); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Steps& steps_;
  };

  // 2 n - 1 inside the n-th operation, 2 n after it.
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  void next() { count_.store(count() + 1, std::memory_order_relaxed); }

  std::atomic<std::uint64_t> count_ = 0;
};

}  // namespace muster::benchmarks
