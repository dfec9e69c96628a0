// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace muster::topology {

// To understand a file with, by parsed(): both throw Error where the text is no UTF-8 or holds control characters, the
// second also where it is empty, which some files never are.
std::string plain_text(std::string_view text);
std::string written_text(std::string_view text);

}  // namespace muster::topology
