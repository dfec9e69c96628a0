// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "results/system/descriptor.hpp"

namespace muster::topology {

// Turns compressed bytes into what they were.
class Decompressor {
 public:
  virtual ~Decompressor() = default;
  // Takes bytes off `in` and writes at most `size` to `out`; returns how many. 0 with bytes left in `in` is no
  // progress. Throws std::runtime_error with the library's words.
  virtual std::size_t take(std::string_view& in, char* out, std::size_t size) = 0;
  // Whether what was taken so far may end here.
  virtual bool is_complete() const = 0;
};

// For gzip, xz and zstd, told by their first bytes; none for everything else.
std::unique_ptr<Decompressor> decompressor_for(std::string_view beginning);

// The bytes of a log: a file, the ring, or "-" for stdin; decompressed, and UTF-16 as Latin-1 with '?' for what that
// does not have. A file is read up to the size that it had at the beginning. Memory does not grow with it.
class LogBytes {
 public:
  // Of what is compressed: it may grow by so much, after the first MiB, and to no more than so many bytes.
  static constexpr std::uint64_t max_growth = 100;
  static constexpr std::uint64_t max_bytes = std::uint64_t{4} << 30;

  // Throws Error naming the file, with the system's words and with what is needed where it may not be read.
  explicit LogBytes(std::filesystem::path file);

  // The next ones, valid until the next call; empty at the end. Throws Error.
  std::string_view next();

  // Of the ring, which gives a record at a time.
  bool is_ring() const { return is_ring_; }
  // Seconds since 1970 when it was last written to: about when it ends.
  double written() const { return written_; }
  const std::filesystem::path& file() const { return file_; }

 private:
  enum class Encoding { bytes, utf16_le, utf16_be };

  [[noreturn]] void fail(const std::string& problem, int code = 0) const;
  void expect_a_log();
  bool has_more() const;
  std::string_view raw();
  std::string_view expanded();
  void recognise(std::string_view text);
  std::string_view decoded(std::string_view text);

  std::filesystem::path file_;
  results::Descriptor descriptor_;
  bool is_ring_ = false;
  double written_ = 0;
  std::uint64_t left_ = 0;  // of the size at the beginning
  std::uint64_t read_ = 0;
  std::uint64_t given_ = 0;
  bool is_begun_ = false;
  std::array<char, std::size_t{64} << 10> block_{};  // a record of the ring fits
  std::string_view rest_;                            // of it, not yet decompressed
  std::unique_ptr<Decompressor> decompressor_;
  std::array<char, std::size_t{64} << 10> expanded_{};
  Encoding encoding_ = Encoding::bytes;
  std::string half_;  // of a character of UTF-16
  std::string text_;
};

}  // namespace muster::topology
