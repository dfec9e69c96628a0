// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muster::results {

// Of JSON whose end was cut off, what came whole before that: the last value that may be a part of one is left out, and
// what is open is closed. Nothing where nothing is open, so that it was not cut.
std::optional<std::string> without_cut_end(std::string_view json);

}  // namespace muster::results
