// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace muster::topology {

// Well-formed by the Unicode Standard, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
bool valid_utf8(std::string_view text);

}  // namespace muster::topology
