// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "topology/log/log_bytes.hpp"
#include "topology/log/log_front.hpp"
#include "topology/log/log_objects.hpp"

namespace muster::topology {

struct KernelMessage {
  std::optional<std::uint64_t> sequence;  // of the ring
  std::optional<double> seconds;          // since boot; none where its front does not tell
  std::optional<double> date;             // seconds since 1970, UTC; none where its front does not tell
  std::size_t boot = 0;                   // of those that the log tells apart, counted from its first
  std::string_view text;                  // without what is in front of a message; its further lines behind '\n'
};

// The messages of the kernel, one after the other: those that are now in the ring /dev/kmsg, or those of a file, in any
// form in which dmesg, syslog, journalctl, containers, Kubernetes and Talos write them. Memory does not grow with them.
//
// A line without a front that is known is a message, too. A log of which most lines have none is no kernel's log,
// unless it holds the line with which every kernel starts.
class KernelLog {
 public:
  // Of a longer line, or message, only so much counts; the kernel writes no longer one (linux/kernel/printk:
  // PRINTK_MESSAGE_MAX).
  static constexpr std::size_t max_bytes = 8192;

  // "-" is stdin. Throws Error naming the file, with the system's words and with what is needed where it may not be
  // read.
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
  std::uint64_t lost_meanwhile() const { return lost_meanwhile_; }
  std::size_t lines_without_front() const { return lines_without_front_; }
  // After the last message: why this is no kernel's log; empty where it is one.
  std::string problem() const;

 private:
  std::optional<std::string_view> line();
  std::optional<LogLine> message_line();
  LogLine understood(std::string_view line);
  LogLine taken_apart(std::string_view line);
  void take_colours_off(std::string_view& text);
  void count(const LogLine& line, std::string_view whole);
  bool may_go_on(const LogLine& line) const;
  bool goes_on(const LogLine& first, const LogLine& more, bool is_partial) const;
  void read_on(const LogLine& first);
  void follow(std::uint64_t sequence);
  void follow_boots(const LogLine& line);

  LogBytes bytes_;
  std::string_view rest_;  // of a block
  std::string line_;       // what lay in more than one block
  std::string plain_;      // without colours
  std::string unescaped_;  // a message without escapes
  std::string text_;       // a message of several lines
  std::optional<LogLine> held_;
  std::string held_text_;
  std::string current_text_;
  LogObjects objects_;
  bool is_of_objects_ = false;
  bool is_after_front_ = false;

  std::optional<std::uint64_t> next_sequence_;
  std::optional<double> date_;     // of the line before
  std::optional<double> seconds_;  // the most of this boot
  std::optional<double> booted_;   // seconds since 1970
  std::string boot_id_;
  std::size_t boot_ = 0;
  std::size_t messages_of_boot_ = 0;
  bool is_of_a_kernel_ = false;
  std::size_t lines_ = 0;
  std::size_t lines_without_front_ = 0;
  std::string first_without_front_;
  std::size_t number_of_first_ = 0;
  std::size_t messages_ = 0;
  std::size_t cut_lines_ = 0;
  std::uint64_t lost_before_ = 0;
  std::uint64_t lost_meanwhile_ = 0;
};

}  // namespace muster::topology
