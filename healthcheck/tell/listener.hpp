// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace muster::healthcheck::fleet {

// Where a listener is and what it knows us by. All of it is secret: no message has any of it, but the names of files.
struct Listener {
  std::string name;  // of the file with its address, for messages
  std::string url;
  std::string host;                         // of the address
  std::optional<std::string> key;           // bytes, with which what is told is signed
  std::vector<std::string> headers;         // "Name: value"
  std::optional<std::filesystem::path> ca;  // the system's when not given
};

// The files that tell it.
struct ListenerFiles {
  std::optional<std::filesystem::path> url, key, headers, ca;
  bool may_be_plain = false;  // http:// is good enough
};

// Throws UsageError that names the file, and says nothing of what is in it; results::Error where one cannot be read.
Listener listener_of(const ListenerFiles& files);

}  // namespace muster::healthcheck::fleet
