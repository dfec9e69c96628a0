// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace muster::benchmarks::host {

// Zeroed memory of its own pages; a page is placed when it is first written.
class Mapping {
 public:
  enum class Pages { huge, ordinary };  // huge ones where the kernel gives them; ordinary: what malloc would get

  // Throws Error when the system has no room for it.
  explicit Mapping(std::size_t doubles, Pages pages = Pages::huge);
  std::span<double> values() const { return {memory_.get(), memory_.get_deleter().bytes / sizeof(double)}; }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(double* memory) const noexcept;
  };
  std::unique_ptr<double, Unmap> memory_;
};

}  // namespace muster::benchmarks::host
