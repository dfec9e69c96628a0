// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace muster::results::html {

// Any bytes as text of HTML, SVG and XML and of their attributes in double quotes. Control characters become spaces;
// what is not UTF-8, what no document may hold (noncharacters) and what nobody sees or turns the direction of text
// becomes '?'.
std::string escaped(std::string_view any);

// The same of text that is cut to so many bytes (3 or more) before; "..." marks the cut.
std::string escaped(std::string_view any, std::size_t bytes);

// The same without the entities of HTML: for data of scripts.
std::string plain(std::string_view any, std::size_t bytes);

// "sha256-RrCBkAUL...=": what a Content-Security-Policy calls an element of this text.
std::string policy_hash(std::string_view text);

// "curve-2-allreduce": of letters, digits and '-', at most 60 bytes.
std::string identifier(std::string_view kind, std::size_t number, std::string_view about);

}  // namespace muster::results::html
