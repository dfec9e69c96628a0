// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "benchmarks/memory/memory.hpp"
#include "benchmarks/verbs/connection.hpp"

// The ends of a connection over which messages go, which may be in two processes. Nothing here waits.
namespace muster::benchmarks::verbs {

// Whether an operation brings data to the end that posts it.
constexpr bool comes_back(RdmaOperation operation) { return operation == RdmaOperation::read; }

// A connection with memory of equal slots, of which one part is sent, and one taken from the partner.
class End {
 public:
  struct SlotRange {
    std::size_t offset = 0;
    std::size_t bytes = 0;
  };
  struct Shape {
    std::size_t slot_bytes = 0;  // a multiple of 8
    std::size_t slots = 1;
    std::size_t queue_pairs = 1;
    std::size_t room = 1;  // for posts of each direction on each queue pair
    std::size_t timeout = usual_timeout;
    bool inlines = false;  // small messages go with the post itself
    std::string gpu;       // at whose PCI address the memory is; empty: of the host
    SlotRange given;
    SlotRange received;
  };

  // Fills what will be sent. Throws Error.
  End(const RdmaPort& port, const Shape& shape);
  End(const End&) = delete;
  End& operator=(const End&) = delete;
  virtual ~End() = default;

  ConnectionAddress address() const { return connection_.address(); }
  // By what the adapter reaches the memory of a GPU; empty for that of the host.
  const std::string& gpudirect() const { return connection_.gpudirect(); }
  // Throws Error.
  virtual void connect(const ConnectionAddress& partner);
  // Posts what may be under way and takes what has come; whether anything had. Throws Error when an operation failed.
  virtual bool pump() = 0;
  virtual bool done() const = 0;
  // What came otherwise than it was sent, after the end. Throws Error where it cannot be looked at.
  std::size_t wrong_bytes() const;

 protected:
  Connection& connection() { return connection_; }
  // Of the host.
  std::span<std::byte> slot(std::size_t number) const;
  void count_wrong(std::size_t bytes) { wrong_ += bytes; }

 private:
  Shape shape_;
  std::unique_ptr<Memory> memory_;
  Connection connection_;
  std::uint64_t partners_seed_ = 0;
  std::size_t wrong_ = 0;
};

// The end that posts the operations, until it is told to stop.
class Initiator : public End {
 public:
  using End::End;
  // What was measured since the last call, when that is enough for a sample.
  virtual std::optional<double> next() = 0;
  // The bytes of all messages.
  virtual double payload() const = 0;
  // From now on pump() posts nothing more, and tells the partner when nothing is under way any more.
  void stop() { stopping_ = true; }

 protected:
  bool is_stopping() const { return stopping_; }

 private:
  bool stopping_ = false;
};

}  // namespace muster::benchmarks::verbs
