// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "results/descriptor.hpp"

namespace muster::topology {

struct KernelMessage {
  std::optional<std::uint64_t> sequence;  // of the ring
  std::optional<double> seconds;          // since boot; none where its line does not tell
  std::optional<double> date{};           // seconds since 1970, UTC; none where its front does not tell
  std::size_t boot = 0;                   // of those that the log tells apart, counted from its first
  std::string_view text{};                // without what is in front of a message
};

// A line of the ring ("6,339,5140900,-;text"), of dmesg ("[    5.140900] text") or of a system log ("... kernel:
// text"). Nothing for a line that continues the one before.
std::optional<KernelMessage> kernel_message(std::string_view line);

// The messages of the kernel, one after the other: those that are now in the ring /dev/kmsg, or those of a file with
// lines of any of these kinds. Memory does not grow with them.
class KernelLog {
 public:
  // Of a longer line only so much counts; the kernel writes no longer one (linux/kernel/printk: PRINTK_MESSAGE_MAX).
  static constexpr std::size_t most_bytes = 8192;

  // Throws Error naming the file, with the system's words and with what is needed where it may not be read.
  explicit KernelLog(std::filesystem::path file);
  ~KernelLog() = default;
  KernelLog(const KernelLog&) = delete;
  KernelLog& operator=(const KernelLog&) = delete;

  // Nothing after the last one; its text is valid until the next call. Throws Error as the constructor does.
  std::optional<KernelMessage> next();

  std::size_t messages() const { return messages_; }
  // Lines of which only the beginning counted.
  std::size_t cut_lines() const { return cut_lines_; }
  // Messages that the ring had lost before the first that was read, and between two that were.
  std::uint64_t lost_before() const { return lost_before_; }
  std::string problem() const { return {}; }
  std::size_t lines_without_front() const { return 0; }
  std::uint64_t lost_meanwhile() const { return lost_meanwhile_; }

 private:
  bool fill();
  std::optional<std::string_view> line();
  void follow(std::uint64_t sequence);

  std::filesystem::path file_;
  results::Descriptor descriptor_;
  std::array<char, std::size_t{64} << 10> block_{};  // a record of the ring fits
  std::string_view rest_;                            // of the block
  std::string line_;                                 // what lay in more than one block
  std::optional<std::uint64_t> next_sequence_;
  std::size_t messages_ = 0;
  std::size_t cut_lines_ = 0;
  std::uint64_t lost_before_ = 0;
  std::uint64_t lost_meanwhile_ = 0;
};

}  // namespace muster::topology
