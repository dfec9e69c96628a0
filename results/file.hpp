// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace muster::results {

// Replaces the file as a whole or not at all: temporary file beside it, fsync, rename, fsync of the folder.
// Leaves no temporary file behind when it throws Error.
void write_atomically(const std::filesystem::path& file, std::string_view text);

// Writes into a file that is there. Throws Error.
void write_in_place(const std::filesystem::path& file, std::string_view text);

// Whether a file is mounted by itself, as Linux 5.8 and later tell: nothing can be renamed to it. Kubernetes mounts the
// file of a termination message so.
bool is_mounted(const std::filesystem::path& file);

// Throws Error naming the file and the system's reason.
std::string read_text(const std::filesystem::path& file);

// Lower-case hexadecimal SHA-256.
std::string sha256(std::string_view text);

}  // namespace muster::results
