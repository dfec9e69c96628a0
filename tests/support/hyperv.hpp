// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace muster::tests {

// A record of Hyper-V's pool whose fields end in what was left from longer, older values.
inline std::string record(std::string_view key, std::string_view value, std::string_view dirt = "\xff\xfe old") {
  const auto field = [dirt](std::string_view text, std::size_t size) {
    std::string bytes = std::string(text) + '\0' + std::string(dirt);
    bytes.resize(size, '\0');
    return bytes;
  };
  return field(key, 512) + field(value, 2048);
}

}  // namespace muster::tests
