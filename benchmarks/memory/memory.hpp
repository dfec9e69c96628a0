// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace muster::benchmarks {

// Memory that an adapter reads and writes: of the host, or of a GPU.
class Memory {
 public:
  virtual ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // As devices address it. Of a GPU's memory the host may use the addresses, but not what is there.
  virtual std::span<std::byte> range() const = 0;
  virtual bool is_of_gpu() const = 0;
  // Copies to a part of it, and from one. Both throw Error.
  virtual void store(std::span<const std::byte> data, std::size_t offset) = 0;
  virtual void load(std::span<std::byte> data, std::size_t offset) const = 0;

  // The file (dma-buf) by which the kernel shows a GPU's memory to other devices, from its beginning on; closed with
  // the memory. Throws Error, with the reason, where there is none.
  virtual int file() = 0;

 protected:
  Memory() = default;
};

// Of the host.
std::unique_ptr<Memory> make_host_memory(std::size_t bytes);

// Of the GPU at a PCI address, or, of none, of the host. What is linked decides whether GPUs can be used. Throws Error.
std::unique_ptr<Memory> make_memory(std::size_t bytes, const std::string& gpu);

}  // namespace muster::benchmarks
