// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/process/guard.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/find_program.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "topology/kernel/text_fields.hpp"

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
      const auto text = results::read_text(file);
      if (text.find(sign) == text.npos) throw results::Error(fmt::format("{} holds no ssh key", file.string()));
      results::write_private(copy, text);
    } catch (const results::Error& error) {
      throw UsageError(fmt::format("--keys: {}", error.what()));
    }
    return copy;
  }
  throw UsageError(fmt::format("--keys {}: there is no {} in it; name the folder of the job's ssh keys", keys.string(),
                               fmt::join(names, " or ")));
}

constexpr std::string_view start_of_public_key = " AAAA";
constexpr std::string_view key_is_useless = "--keys: ssh-keygen cannot use the job's key";
constexpr std::chrono::seconds time_for_ssh_keygen{20};
constexpr std::initializer_list<const char*> names_of_private_keys{"id_ed25519", "id_rsa"};

// What it prints. `problem` is what is said where it fails.
std::string ssh_keygen(std::string_view problem, std::vector<std::string> words) {
  words.insert(words.begin(), find_program("ssh-keygen", "install openssh-client"));
  const auto ending = Guard(words, std::chrono::steady_clock::now() + time_for_ssh_keygen).ending();
  if (ending.kind != ProcessExit::Kind::exited || ending.code != 0)
    throw UsageError(fmt::format("{}: {}{}", problem, ending.words, ending.last_line));
  return ending.said;
}

}  // namespace

fs::path private_copy_of_key(const fs::path& keys, const fs::path& folder) {
  return private_copy(keys, names_of_private_keys, "PRIVATE KEY-----", folder / "key");
}

fs::path private_copy_of_authorized(const fs::path& keys, const fs::path& folder) {
  return private_copy(keys, {"authorized_keys", "id_ed25519.pub", "id_rsa.pub"}, start_of_public_key,
                      folder / "authorized_keys");
}

void make_host_key(const fs::path& folder) {
  ssh_keygen(fmt::format("ssh-keygen made no key in {}", folder.string()),
             {"-q", "-t", "ed25519", "-N", "", "-f", (folder / "host_key").string()});
}

fs::path known_hosts_of_job(const fs::path& key, const fs::path& folder) {
  auto file = folder / "known_hosts";
  const auto said = ssh_keygen(key_is_useless, {"-y", "-f", key.string()});
  for (const auto line : topology::lines(said))
    if (line.find(start_of_public_key) != line.npos) {
      results::write_private(file, fmt::format("@cert-authority * {}\n", line));
      return file;
    }
  throw UsageError(fmt::format("--keys: ssh-keygen does not tell the public half of the job's key: {}", said));
}

bool sign_host_key(const fs::path& keys, const fs::path& folder) {
  std::error_code ignored;
  if (std::ranges::none_of(names_of_private_keys, [&](const char* name) { return fs::exists(keys / name, ignored); }))
    return false;
  const auto key = private_copy_of_key(keys, folder);
  ssh_keygen(key_is_useless,
             {"-q", "-s", key.string(), "-h", "-I", "worker of a job", (folder / "host_key.pub").string()});
  fs::remove(key);
  return true;
}

}  // namespace muster::healthcheck
