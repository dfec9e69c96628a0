// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/program/error.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

namespace fs = std::filesystem;

// The first of these files, which must hold this text as every ssh key of its sort does.
fs::path private_copy(const fs::path& keys, std::initializer_list<const char*> names, std::string_view sign,
                      const fs::path& copy) {
  std::error_code ignored;
  for (const char* name : names) {
    const auto file = keys / name;
    if (!fs::exists(file, ignored)) continue;
    try {
      results::write_atomically(copy, "");
      fs::permissions(copy, fs::perms::owner_read | fs::perms::owner_write);
      const auto text = results::read_text(file);
      if (text.find(sign) == text.npos) throw results::Error(fmt::format("{} holds no ssh key", file.string()));
      results::write_in_place(copy, text);
    } catch (const results::Error& error) {
      throw UsageError(fmt::format("--keys: {}", error.what()));
    }
    return copy;
  }
  throw UsageError(fmt::format("--keys {}: there is no {} in it; name the folder of the job's ssh keys", keys.string(),
                               fmt::join(names, " or ")));
}

}  // namespace

fs::path private_copy_of_key(const fs::path& keys, const fs::path& folder) {
  return private_copy(keys, {"id_ed25519", "id_rsa"}, "PRIVATE KEY-----", folder / "key");
}

fs::path private_copy_of_authorized(const fs::path& keys, const fs::path& folder) {
  return private_copy(keys, {"authorized_keys", "id_ed25519.pub", "id_rsa.pub"}, " AAAA", folder / "authorized_keys");
}

}  // namespace muster::healthcheck
