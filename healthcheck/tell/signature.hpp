// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace muster::healthcheck::fleet {

// HMAC-SHA256 by RFC 2104, 32 bytes.
std::string hmac_sha256(std::string_view key, std::string_view text);

// The key in a file: of "whsec_..." the bytes that its base64 stands for, as Standard Webhooks writes keys, and of
// anything else its bytes without the white space around them. Throws UsageError that names the file where it holds no
// key or one of less than 16 bytes; results::Error where it cannot be read.
std::string key_in(const std::filesystem::path& file);

// The header `webhook-signature` of Standard Webhooks 1.0: of id, seconds since 1970 and body, with dots between.
std::string signature(std::string_view key, std::string_view id, long seconds, std::string_view body);

}  // namespace muster::healthcheck::fleet
