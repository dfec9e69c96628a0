// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace muster::results {

// 16 hexadecimal digits that nobody can know before.
std::string random_word();

}  // namespace muster::results
