// SPDX-License-Identifier: Apache-2.0
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <stdexcept>
#include <string>

#include "topology/log/log_bytes.hpp"

namespace muster::topology {
namespace {

constexpr std::uint64_t max_memory = std::uint64_t{128} << 20;  // of a dictionary

class Gzip final : public Decompressor {
 public:
  Gzip() {
    constexpr int gzip_alone = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_alone) != Z_OK) throw std::runtime_error("zlib has no memory");
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  std::size_t take(std::string_view& in, char* out, std::size_t size) override {
    if (is_complete_ && !in.empty()) {  // another member
      inflateReset(&stream_);
      is_complete_ = false;
    }
    stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    const int code = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(in.size() - stream_.avail_in);
    if (code == Z_STREAM_END) is_complete_ = true;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      throw std::runtime_error(stream_.msg != nullptr ? stream_.msg : "no gzip");
    return size - stream_.avail_out;
  }
  bool is_complete() const override { return is_complete_; }

 private:
  z_stream stream_{};
  bool is_complete_ = false;
};

class Xz final : public Decompressor {
 public:
  Xz() {
    if (lzma_stream_decoder(&stream_, max_memory, LZMA_CONCATENATED) != LZMA_OK)
      throw std::runtime_error("liblzma has no memory");
  }
  ~Xz() override { lzma_end(&stream_); }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;

  std::size_t take(std::string_view& in, char* out, std::size_t size) override {
    if (is_complete_) return 0;
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream_.avail_out = size;
    const auto code = lzma_code(&stream_, in.empty() ? LZMA_FINISH : LZMA_RUN);
    in.remove_prefix(in.size() - stream_.avail_in);
    if (code == LZMA_STREAM_END) is_complete_ = true;
    if (code == LZMA_MEMLIMIT_ERROR) throw std::runtime_error("its dictionary is larger than 128 MiB");
    if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR) throw std::runtime_error("no xz");
    return size - stream_.avail_out;
  }
  bool is_complete() const override { return is_complete_; }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool is_complete_ = false;
};

class Zstd final : public Decompressor {
 public:
  Zstd() : stream_(ZSTD_createDStream()) {
    constexpr int log_of_most_memory = 27;
    if (stream_ == nullptr) throw std::runtime_error("zstd has no memory");
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, log_of_most_memory);
  }
  ~Zstd() override { ZSTD_freeDStream(stream_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

  std::size_t take(std::string_view& in, char* out, std::size_t size) override {
    if (in.empty() && left_ == 0) return 0;
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out, size, 0};
    left_ = ZSTD_decompressStream(stream_, &output, &input);
    if (ZSTD_isError(left_) != 0) throw std::runtime_error(ZSTD_getErrorName(left_));
    in.remove_prefix(input.pos);
    return output.pos;
  }
  bool is_complete() const override { return left_ == 0; }

 private:
  ZSTD_DStream* stream_;
  std::size_t left_ = 0;
};

}  // namespace

std::unique_ptr<Decompressor> decompressor_for(std::string_view beginning) {
  using namespace std::string_view_literals;
  if (beginning.starts_with("\x1f\x8b"sv)) return std::make_unique<Gzip>();
  if (beginning.starts_with("\xfd"
                            "7zXZ\0"sv))
    return std::make_unique<Xz>();
  if (beginning.starts_with("\x28\xb5\x2f\xfd"sv)) return std::make_unique<Zstd>();
  return nullptr;
}

}  // namespace muster::topology
