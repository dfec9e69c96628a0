// SPDX-License-Identifier: Apache-2.0
#include "results/system/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sha2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <system_error>

#include "results/system/descriptor.hpp"
#include "results/system/error.hpp"
#include "results/system/random_word.hpp"

namespace muster::results {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t spare_room = 4096;  // beyond the size of a file, so that one read finds its end

constexpr std::size_t small_report_bytes = std::size_t{64} * 1024;
constexpr int wait_for_writer_ms = 2000;

// Errors that another file or folder would not have had.
constexpr std::array of_machine = {EIO, ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM, ESTALE, ETIMEDOUT};

[[noreturn]] void fail(std::string_view doing, const fs::path& file, int code = errno) {
  const auto words = fmt::format("cannot {} {}: {}", doing, file.string(), std::generic_category().message(code));
  if (std::ranges::find(of_machine, code) != of_machine.end()) throw Failure(words);
  throw Error(words);
}

Descriptor open_folder(const fs::path& folder) {
  const int number = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (number < 0) fail("open the folder", folder);
  return Descriptor(number);
}

void write_all(const Descriptor& opened, std::string_view text, const fs::path& target) {
  while (!text.empty()) {
    const ssize_t written = ::write(opened.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", target);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// How many bytes were read; 0 at the end.
std::size_t read_some(const Descriptor& opened, std::span<char> into, const fs::path& file) {
  ssize_t count = 0;
  do count = ::read(opened.number(), into.data(), into.size());
  while (count < 0 && errno == EINTR);
  if (count < 0) fail("read", file);
  return static_cast<std::size_t>(count);
}

void write_durably(const Descriptor& opened, std::string_view text, const fs::path& target) {
  write_all(opened, text, target);
  if (fsync(opened.number()) != 0) fail("write", target);
}

// A pipe with a name to which nobody writes would be waited for without end; those of /dev are of whoever started this.
void expect_writer(const fs::path& file) {
  if (file.string().starts_with("/dev/")) return;
  const Descriptor opened(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  pollfd wanted{.fd = opened.number(), .events = POLLIN, .revents = 0};
  if (poll(&wanted, 1, wait_for_writer_ms) == 0)
    throw Error(fmt::format("cannot read {}: it is a pipe without a writer", file.string()));
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

// A new file that is gone with its object unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& folder)
      : path_(folder / (".muster-" + random_word())),
        descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (descriptor_.number() < 0) fail("create a file in", folder);
  }
  ~TemporaryFile() {
    if (!renamed_) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view text, const fs::path& target) { write_durably(descriptor_, text, target); }

  void rename_to(const fs::path& target) {
    if (rename(path_.c_str(), target.c_str()) != 0) fail("replace", target);
    renamed_ = true;
  }

 private:
  fs::path path_;
  Descriptor descriptor_;
  bool renamed_ = false;
};

}  // namespace

void write_atomically(const fs::path& file, std::string_view text) {
  std::error_code ignored;
  const auto kind = fs::status(file, ignored).type();
  if (kind == fs::file_type::directory) fail("write", file, EISDIR);
  if (fs::exists(fs::file_status(kind)) && kind != fs::file_type::regular)
    throw Error(fmt::format("cannot write {}: it is not a regular file", file.string()));

  const fs::path folder = folder_of(file);
  const Descriptor opened = open_folder(folder);
  TemporaryFile temporary(folder);
  temporary.write(text, file);
  temporary.rename_to(file);
  // Some network file systems cannot sync a folder and say so with EINVAL.
  if (fsync(opened.number()) != 0 && errno != EINVAL) fail("write the folder", folder);
}

void write_in_place(const fs::path& file, std::string_view text) {
  const Descriptor opened(open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (!opened) fail("write", file);
  write_durably(opened, text, file);
}

void write_private(const fs::path& file, std::string_view text) {
  const Descriptor opened(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!opened) fail("make", file);
  write_all(opened, text, file);
}

void expect_room(const fs::path& folder) {
  const fs::path place = folder.empty() ? fs::path(".") : folder;
  open_folder(place);
  TemporaryFile(place).write(std::string(small_report_bytes, '\n'), place);
}

bool is_mounted(const fs::path& file) {
  struct statx own {};
  return statx(AT_FDCWD, file.c_str(), 0, STATX_TYPE, &own) == 0 && S_ISREG(own.stx_mode) &&
         (own.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

std::string read_text(const fs::path& file) {
  std::string text;
  read_text(file, text);
  return text;
}

void read_text(const fs::path& file, std::string& text) {
  if (file == "-") {
    static const std::string standard_input = read_text("/dev/stdin");
    text = standard_input;
    return;
  }
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) fail("read", file);
  if (S_ISDIR(status.st_mode)) fail("read", file, EISDIR);
  if (S_ISFIFO(status.st_mode)) expect_writer(file);
  const Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened) fail("read", file);
  const auto size = static_cast<std::size_t>(status.st_size);  // 0 of a pipe, and of what the kernel makes
  text.resize(std::min(size, max_bytes_of_file) + spare_room);
  std::size_t end = 0;
  while (const auto count = read_some(opened, std::span(text).subspan(end), file)) {
    end += count;
    if (end > max_bytes_of_file)
      throw Error(fmt::format("cannot read {}: it is larger than {} MiB", file.string(), max_bytes_of_file >> 20));
    if (end == text.size()) text.resize(2 * end);
  }
  text.resize(end);
}

std::string sha256(std::string_view text) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digest{};
  SHA256Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digest.data());
  return digest.data();
}

std::string sha256_bytes(std::string_view text) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  std::string bytes(SHA256_DIGEST_LENGTH, '\0');
  SHA256Final(reinterpret_cast<std::uint8_t*>(bytes.data()), &context);
  return bytes;
}

}  // namespace muster::results
