// SPDX-License-Identifier: Apache-2.0
#include "topology/log/log_bytes.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

std::string gzip(std::string text) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string xz(const std::string& text) {
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size());
  packed.resize(size);
  return packed;
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string utf16(const std::string& text, bool is_little, bool is_marked) {
  std::string wide = is_marked ? (is_little ? "\xff\xfe" : "\xfe\xff") : "";
  for (const char c : text) wide += is_little ? std::string{c, '\0'} : std::string{'\0', c};
  return wide;
}

class Log : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& bytes) {
    folder_.write("log", bytes);
    return folder_.path() / "log";
  }
  std::string read(const std::string& bytes) {
    LogBytes log(file(bytes));
    std::string all;
    for (auto part = log.next(); !part.empty(); part = log.next()) all += part;
    return all;
  }
  // Why it is refused; empty where it is not.
  std::string refusal(const std::string& bytes) {
    try {
      read(bytes);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  tests::TemporaryFolder folder_;
};

// So that it does not fit in one block.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += "[    1.0] line " + std::to_string(i * 7919) + "\n";
  return text;
}

TEST_F(Log, IsGivenAsItIs) {
  for (const auto& text : {std::string("one\ntwo"), long_text(), std::string("\0\1\2", 3)}) EXPECT_EQ(read(text), text);
  EXPECT_EQ(read(""), "");
}

TEST_F(Log, ThatIsCompressedIsExpanded) {
  for (const auto& text : {std::string("one\n"), long_text()})
    for (const auto& packed : {gzip(text), xz(text), zstd(text)}) EXPECT_TRUE(read(packed) == text) << packed.size();
}

TEST_F(Log, OfSeveralCompressedPartsIsWhole) {
  EXPECT_EQ(read(gzip("one\n") + gzip("two\n")), "one\ntwo\n");
  EXPECT_EQ(read(xz("one\n") + xz("two\n")), "one\ntwo\n");
  EXPECT_EQ(read(zstd("one\n") + zstd("two\n")), "one\ntwo\n");
}

TEST_F(Log, ThatWasCutIsRefused) {
  for (const auto& packed : {gzip(long_text()), xz(long_text()), zstd(long_text())})
    EXPECT_NE(refusal(packed.substr(0, packed.size() / 2)).find("ends in the middle; copy it again"),
              std::string::npos);
}

TEST_F(Log, ThatIsDamagedIsRefused) {
  for (auto packed : {gzip(long_text()), xz(long_text()), zstd(long_text())}) {
    packed.replace(packed.size() / 2, 64, 64, 'x');
    const auto problem = refusal(packed);
    EXPECT_NE(problem.find("is compressed and damaged: "), std::string::npos) << problem;
  }
}

TEST_F(Log, ThatExpandsBeyondMeasureIsRefusedWithItsSize) {
  const std::string nothing(8U << 20, 'x');
  for (const auto& packed : {gzip(nothing), xz(nothing), zstd(nothing)}) {
    const auto problem = refusal(packed);
    EXPECT_NE(problem.find(" bytes to more than "), std::string::npos) << problem;
  }
  EXPECT_EQ(refusal(gzip(std::string(900'000, 'x'))), "") << "a short one may";
}

TEST_F(Log, OfUtf16IsRead) {
  const std::string text = "[    1.0] one of a log that is long enough to be told without its mark\n[    2.0] two\n";
  for (const bool is_little : {true, false})
    for (const bool is_marked : {true, false}) EXPECT_EQ(read(utf16(text, is_little, is_marked)), text);
  EXPECT_EQ(read("\xef\xbb\xbfone\n"), "one\n");
}

TEST_F(Log, ThatGrowsIsReadUpToWhereItEnded) {
  const auto path = file(long_text());
  LogBytes log(path);
  std::string all(log.next());
  std::ofstream(path, std::ios::app) << "more\n";
  for (auto part = log.next(); !part.empty(); part = log.next()) all += part;
  EXPECT_EQ(all, long_text());
}

TEST_F(Log, IsNoDevice) {
  try {
    LogBytes log("/dev/zero");
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/dev/zero: is a device, and no kernel's log; name a file, or - for stdin");
  }
}

// Writes the parts with pauses into a pipe, and what was read of it.
std::string through_pipe(const std::filesystem::path& path, const std::vector<std::string>& parts) {
  EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int pipe = open(path.c_str(), O_RDWR | O_CLOEXEC);  // which waits for no reader
  LogBytes log(path);
  std::jthread writer([&] {
    for (const auto& part : parts) {
      EXPECT_EQ(write(pipe, part.data(), part.size()), static_cast<ssize_t>(part.size()));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    close(pipe);
  });
  std::string text;
  for (auto block = log.next(); !block.empty(); block = log.next()) text += block;
  return text;
}

TEST_F(Log, OfAPipeWhoseWriterPausesIsWhole) {
  const std::string line(100, 'a');
  EXPECT_EQ(through_pipe(folder_.path() / "pipe", {line, "two\n", "three\n"}), line + "two\nthree\n");
}

TEST_F(Log, OfAPipeIsExpandedHoweverItComes) {
  const auto packed = xz(long_text());
  EXPECT_EQ(through_pipe(folder_.path() / "pipe", {packed.substr(0, 3), packed.substr(3, 7), packed.substr(10)}),
            long_text());
}

TEST_F(Log, OnStdinIsReadToItsEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int own = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  ASSERT_EQ(write(ends[1], "one\n", 4), 4);
  close(ends[1]);
  LogBytes log("-");
  EXPECT_EQ(log.next(), "one\n");
  EXPECT_EQ(log.next(), "");
  dup2(own, STDIN_FILENO);
  close(own);
  close(ends[0]);
}

}  // namespace
}  // namespace muster::topology
