// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace muster::healthcheck {

// Where this build's files are, found from the running executable: PREFIX/bin, PREFIX/lib/muster and
// PREFIX/share/muster.
struct Installation {
  std::filesystem::path bin;              // muster, muster-NAME, checks.json
  std::filesystem::path library;          // libmuster.so as it was loaded, wherever that was from
  std::filesystem::path profiles;         // *.json
  std::filesystem::path messages;         // *.json, templates of what chats are told
  std::filesystem::path faults;           // faults.json
  std::filesystem::path kernel_messages;  // kernel_messages.json
  std::filesystem::path metrics;          // metrics.json
  std::filesystem::path topologies;       // *.xml
};

Installation installation();

}  // namespace muster::healthcheck
