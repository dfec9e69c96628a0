// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// The files of this folder that are no C++, as they are.
namespace muster::results::html::assets {

extern const std::string_view picture;  // picture.css
extern const std::string_view page;     // page.css

}  // namespace muster::results::html::assets
