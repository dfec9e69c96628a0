// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "healthcheck/program/descriptor.hpp"

namespace muster::healthcheck {

// The beginning and the end of what a process prints, read as it comes, so that a process that prints for ever fills no
// disk.
class Tail {
 public:
  // The read end of a pipe that does not block.
  explicit Tail(Descriptor pipe) : pipe_(std::move(pipe)) {}

  int descriptor() const { return pipe_.number(); }  // -1 once every writer is gone
  // Takes at most 64 KiB of what there is.
  void read();
  // Of all bytes that have come.
  std::size_t count() const { return count_; }
  // The last 4 KiB.
  std::string_view text() const { return text_; }
  // The first 32 KiB and the last 4 KiB; a line of "..." stands for what is left out between them.
  std::string said() const;

 private:
  Descriptor pipe_;
  std::string first_;
  std::string text_;
  std::size_t count_ = 0;
};

// What says most of how a process ended, printable and of at most 300 bytes: the last line in which muster or ssh says
// why it gave up, else the last that is not blank or a rule of dashes; empty when there is none.
std::string last_words(std::string_view text);

}  // namespace muster::healthcheck
