// SPDX-License-Identifier: Apache-2.0
#include "topology/log/log_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();
constexpr double mebibyte = 1 << 20;
constexpr std::size_t beginning = 64;  // bytes that tell compression and encoding

results::Descriptor opened(const std::filesystem::path& file) {
  if (file == "-") return results::Descriptor(dup(STDIN_FILENO));
  return results::Descriptor(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

bool is_kmsg(const struct stat& status) {
  constexpr unsigned memory_devices = 1;
  constexpr unsigned kmsg = 11;
  return S_ISCHR(status.st_mode) && major(status.st_rdev) == memory_devices && minor(status.st_rdev) == kmsg;
}

}  // namespace

LogBytes::LogBytes(std::filesystem::path file) : file_(std::move(file)), descriptor_(opened(file_)) {
  if (!descriptor_) {
    const bool is_refused = errno == EPERM || errno == EACCES;
    fail(std::generic_category().message(errno) +
             (is_refused ? "; it takes root, or CAP_SYSLOG and a file that may be read" : ""),
         errno);
  }
  expect_a_log();
}

void LogBytes::fail(const std::string& problem, int code) const {
  throw Error(file_ == "-" ? "stdin" : file_.string(), problem, code);
}

void LogBytes::expect_a_log() {
  struct stat status {};
  if (fstat(descriptor_.number(), &status) != 0) fail(std::generic_category().message(errno), errno);
  is_ring_ = is_kmsg(status);
  const bool is_device = (S_ISCHR(status.st_mode) && !is_ring_) || S_ISBLK(status.st_mode);
  if (is_device && file_ != "-") fail("is a device, and no kernel's log; name a file, or - for stdin");
  left_ = S_ISREG(status.st_mode) && status.st_size > 0 ? static_cast<std::uint64_t>(status.st_size) : no_limit;
  written_ = static_cast<double>(S_ISREG(status.st_mode) ? status.st_mtime : time(nullptr));
}

// Where the ring is stdin, a read at its end would wait for the next message.
bool LogBytes::has_more() const {
  if (file_ != "-") return true;
  pollfd input{.fd = descriptor_.number(), .events = POLLIN, .revents = 0};
  return poll(&input, 1, 0) > 0;
}

// The ring gives EPIPE where it has written over the next record, and EAGAIN at its end. Of anything else there is at
// first so much that it can be recognised.
std::string_view LogBytes::raw() {
  const std::size_t least = is_ring_ || is_begun_ ? 1 : beginning;
  std::size_t filled = 0;
  while (left_ > 0 && filled < least) {
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(left_, block_.size() - filled));
    if (is_ring_ && !has_more()) break;
    const auto got = read(descriptor_.number(), block_.data() + filled, most);
    if (got > 0) {
      const auto bytes = static_cast<std::size_t>(got);
      read_ += bytes;
      filled += bytes;
      if (left_ != no_limit) left_ -= bytes;
      if (left_ == no_limit && !is_ring_ && read_ > max_bytes)
        fail(fmt::format("gave more than {} GiB and does not end; save what matters of it to a file", max_bytes >> 30));
      continue;
    }
    if (got == 0) break;
    if (errno == EAGAIN && !is_ring_) {  // a pipe whose writer pauses
      pollfd input{.fd = descriptor_.number(), .events = POLLIN, .revents = 0};
      poll(&input, 1, -1);
      continue;
    }
    if (errno == EAGAIN) break;
    if (errno != EINTR && errno != EPIPE) fail("cannot be read: " + std::generic_category().message(errno), errno);
  }
  return {block_.data(), filled};
}

std::string_view LogBytes::expanded() {
  while (true) {
    if (rest_.empty()) rest_ = raw();
    try {
      const bool is_end = rest_.empty();
      const auto got = decompressor_->take(rest_, expanded_.data(), expanded_.size());
      given_ += got;
      if (given_ > max_bytes || (static_cast<double>(given_) > mebibyte && given_ > max_growth * read_))
        fail(
            fmt::format("expands from {} bytes to more than {} MiB, which no log does; expand it yourself and name the "
                        "part that matters",
                        read_, given_ >> 20));
      if (got > 0) return {expanded_.data(), got};
      if (!is_end) continue;
      if (!decompressor_->is_complete()) fail("is compressed and ends in the middle; copy it again");
      return {};
    } catch (const Error&) {
      throw;
    } catch (const std::runtime_error& error) {
      fail(fmt::format("is compressed and damaged: {}; copy it again", error.what()));
    }
  }
}

void LogBytes::recognise(std::string_view text) {
  if (text.starts_with("\xff\xfe")) encoding_ = Encoding::utf16_le;
  if (text.starts_with("\xfe\xff")) encoding_ = Encoding::utf16_be;
  if (encoding_ != Encoding::bytes || text.size() < beginning) return;
  const auto zeros = [&](std::size_t first) {
    std::size_t count = 0;
    for (std::size_t i = first; i < beginning; i += 2) count += text[i] == '\0' ? 1 : 0;
    return count;
  };
  if (zeros(0) == 0 && zeros(1) == beginning / 2) encoding_ = Encoding::utf16_le;
  if (zeros(1) == 0 && zeros(0) == beginning / 2) encoding_ = Encoding::utf16_be;
}

std::string_view LogBytes::decoded(std::string_view text) {
  if (encoding_ == Encoding::bytes) return text;
  text_.clear();
  for (const char byte : text) {
    half_ += byte;
    if (half_.size() < 2) continue;
    const bool is_little = encoding_ == Encoding::utf16_le;
    const char low = half_[is_little ? 0 : 1];
    const char high = half_[is_little ? 1 : 0];
    half_.clear();
    if (low == '\xff' && high == '\xfe') continue;  // the mark of the order of bytes
    text_ += high == '\0' ? low : '?';
  }
  return text_;
}

std::string_view LogBytes::next() {
  while (true) {
    auto text = decompressor_ ? expanded() : raw();
    if (text.empty()) return {};
    if (!is_begun_) {
      is_begun_ = true;
      decompressor_ = is_ring_ ? nullptr : decompressor_for(text);
      if (decompressor_) {
        rest_ = text;
        text = expanded();
      }
      recognise(text);
      constexpr std::string_view mark = "\xef\xbb\xbf";
      if (text.starts_with(mark)) text.remove_prefix(mark.size());
    }
    text = decoded(text);
    if (!text.empty()) return text;
  }
}

}  // namespace muster::topology
