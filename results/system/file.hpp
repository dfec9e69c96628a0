// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace muster::results {

// Replaces the file as a whole or not at all: temporary file beside it, fsync, rename, fsync of the folder.
// Leaves no temporary file behind when it throws Error.
void write_atomically(const std::filesystem::path& file, std::string_view text);

// Writes into a file that is there. Throws Error.
void write_in_place(const std::filesystem::path& file, std::string_view text);

// A new file that only this user can read, in a folder that is gone before the machine is: nothing is synced. Throws
// Error, also where there is such a file.
void write_private(const std::filesystem::path& file, std::string_view text);

// Proves by writing that a small report has room in a folder; "" is the current one. Throws Error.
void expect_room(const std::filesystem::path& folder);

// Whether a file is mounted by itself, as Linux 5.8 and later tell: nothing can be renamed to it. Kubernetes mounts the
// file of a termination message so.
bool is_mounted(const std::filesystem::path& file);

// No document of muster is larger.
inline constexpr std::size_t max_bytes_of_file = std::size_t{256} << 20;

// "-" is stdin, which is read once and can be asked for again. Throws Error naming the file and the system's reason,
// also where there is more than max_bytes_of_file.
std::string read_text(const std::filesystem::path& file);

// Into a text that is used again and keeps its memory.
void read_text(const std::filesystem::path& file, std::string& text);

// SHA-256 in lower-case hexadecimal digits, and its 32 bytes.
std::string sha256(std::string_view text);
std::string sha256_bytes(std::string_view text);

}  // namespace muster::results
