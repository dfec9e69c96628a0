// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muster::results {

// By RFC 4648, with padding.
std::string base64(std::string_view bytes);

// The bytes of such a text, with or without its padding; nothing where it has another letter.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace muster::results
