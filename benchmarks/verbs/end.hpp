// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "benchmarks/host/mapping.hpp"
#include "benchmarks/verbs/queue_pair.hpp"

// The ends of a connection over which messages go, which may be in two processes. Nothing here waits.
namespace muster::benchmarks {

// Whether an operation brings data to the end that posts it.
constexpr bool comes_back(RdmaOperation operation) { return operation == RdmaOperation::read; }

// A queue pair with memory of equal slots, of which one part is sent, and one taken from the partner.
class End {
 public:
  struct Part {
    std::size_t offset = 0;
    std::size_t bytes = 0;
  };
  struct Shape {
    std::size_t slot_bytes = 0;  // a multiple of 8
    std::size_t slots = 1;
    std::size_t room = 1;  // for posts of each direction
    bool inlines = false;  // small messages go with the post itself
    Part given;
    Part taken;
  };

  // Throws Error.
  End(const RdmaPort& port, const Shape& shape);
  End(const End&) = delete;
  End& operator=(const End&) = delete;
  virtual ~End() = default;

  QueuePairAddress address() const { return pair_.address(); }
  // Connects, and fills what will be sent. Throws Error.
  virtual void connect(const QueuePairAddress& partner);
  // Posts what may be under way and takes what has come. Throws Error when an operation failed.
  virtual void pump() = 0;
  virtual bool done() const = 0;
  // What came otherwise than it was sent, after the end.
  std::size_t wrong_bytes() const;

 protected:
  QueuePair& pair() { return pair_; }
  std::span<std::byte> slot(std::size_t number) const;
  void count_wrong(std::size_t bytes) { wrong_ += bytes; }

 private:
  std::span<std::byte> bytes(const Part& part) const;

  Shape shape_;
  Mapping memory_;
  QueuePair pair_;
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

}  // namespace muster::benchmarks
