// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "healthcheck/program/error.hpp"
#include "results/system/file.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr std::size_t block_bytes = 64;  // of SHA-256
constexpr std::size_t least_key = 16;
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view key_prefix = "whsec_";

std::string digest(std::string_view text) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  const auto hex = results::sha256(text);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(hexadecimal.find(hex[i]) * 16 + hexadecimal.find(hex[i + 1]));
  return bytes;
}

std::string mixed(std::string key, unsigned char with) {
  for (char& letter : key) letter = static_cast<char>(static_cast<unsigned char>(letter) ^ with);
  return key;
}

std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    const auto digit = digits.find(letter);
    if (digit == digits.npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view text) {
  std::string block = key.size() > block_bytes ? digest(key) : std::string(key);
  block.resize(block_bytes, '\0');
  return digest(mixed(block, 0x5c) + digest(mixed(block, 0x36) + std::string(text)));
}

std::string base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto given = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (j < given ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= given ? digits[bits >> (18 - 6 * j) & 0x3f] : '=';
  }
  return text;
}

std::string key_in(const std::filesystem::path& file) {
  const auto text = results::read_text(file);
  auto key = std::string(topology::trimmed(text));
  if (key.starts_with(key_prefix)) {
    const auto bytes = from_base64(std::string_view(key).substr(key_prefix.size()));
    if (!bytes) throw UsageError(fmt::format("--key-file: what follows whsec_ in {} is not base64", file.string()));
    key = *bytes;
  }
  if (key.size() < least_key)
    throw UsageError(fmt::format("--key-file: the key in {} has {} bytes: give one of {} at least", file.string(),
                                 key.size(), least_key));
  return key;
}

std::string signature(std::string_view key, std::string_view id, long seconds, std::string_view body) {
  return "v1," + base64(hmac_sha256(key, fmt::format("{}.{}.{}", id, seconds, body)));
}

}  // namespace muster::healthcheck::fleet
