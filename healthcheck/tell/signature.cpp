// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/tell/signature.hpp"

#include <fmt/format.h>

#include "healthcheck/program/error.hpp"
#include "results/strings/base64.hpp"
#include "results/system/file.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr std::size_t block_bytes = 64;  // of SHA-256
constexpr std::size_t least_key = 16;
constexpr std::string_view key_prefix = "whsec_";

std::string mixed(std::string key, unsigned char with) {
  for (char& letter : key) letter = static_cast<char>(static_cast<unsigned char>(letter) ^ with);
  return key;
}

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view text) {
  std::string block = key.size() > block_bytes ? results::sha256_bytes(key) : std::string(key);
  block.resize(block_bytes, '\0');
  return results::sha256_bytes(mixed(block, 0x5c) + results::sha256_bytes(mixed(block, 0x36) + std::string(text)));
}

std::string key_in(const std::filesystem::path& file) {
  const auto text = results::read_text(file);
  auto key = std::string(topology::trimmed(text));
  if (key.starts_with(key_prefix)) {
    const auto bytes = results::from_base64(std::string_view(key).substr(key_prefix.size()));
    if (!bytes) throw UsageError(fmt::format("--key-file: what follows whsec_ in {} is not base64", file.string()));
    key = *bytes;
  }
  if (key.size() < least_key)
    throw UsageError(fmt::format("--key-file: the key in {} has {} bytes: give one of {} at least", file.string(),
                                 key.size(), least_key));
  return key;
}

std::string signature(std::string_view key, std::string_view id, long seconds, std::string_view body) {
  return "v1," + results::base64(hmac_sha256(key, fmt::format("{}.{}.{}", id, seconds, body)));
}

}  // namespace muster::healthcheck::fleet
