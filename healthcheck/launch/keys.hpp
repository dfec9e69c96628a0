// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace muster::healthcheck {

// The private key of a job (id_ed25519 or id_rsa in the folder) as a file in a private folder that only this user can
// read, as ssh wants it; a mounted secret is often readable by all. Throws UsageError where there is none.
std::filesystem::path private_copy_of_key(const std::filesystem::path& keys, const std::filesystem::path& folder);

// The same of what may log in: authorized_keys, or where there is none the public half of the key.
std::filesystem::path private_copy_of_authorized(const std::filesystem::path& keys,
                                                 const std::filesystem::path& folder);

// A known_hosts file in the private folder that trusts hosts whose key this private key has signed, and no others.
// Throws UsageError where the key cannot be read.
std::filesystem::path known_hosts_of_job(const std::filesystem::path& key, const std::filesystem::path& folder);

// Makes host_key and host_key.pub in the folder. Throws UsageError.
void make_host_key(const std::filesystem::path& folder);

// Signs the host key of a worker (host_key.pub in its private folder) with the private key of its job, so that a
// launcher knows the host; host_key-cert.pub is the proof. False where the folder of keys has no private key. Throws
// UsageError where it cannot be used.
bool sign_host_key(const std::filesystem::path& keys, const std::filesystem::path& folder);

}  // namespace muster::healthcheck
