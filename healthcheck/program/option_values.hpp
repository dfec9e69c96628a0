// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// What is wrong with the value of an option, as what follows "--option: "; empty where nothing is.

std::string why_no_whole_number(std::string_view text);  // of 0 or more
std::string why_no_number(std::string_view text);
std::string why_no_positive_number(std::string_view text);
std::string why_no_choice(std::string_view text, const std::vector<std::string>& choices);
std::string why_no_also(std::string_view text, const std::vector<std::string>& formats);  // FORMAT=FILE
std::string why_no_size(std::string_view text, std::size_t least);

// "512M", "4 KiB", "4096": bytes, in units of 1024. Nothing where it is no size, or one beyond 64 bits.
std::optional<std::size_t> size_of(std::string_view text);

// "90s", "15m", "6h", "2d". Nothing where it is no such span, or one of more than a hundred years.
std::optional<std::chrono::seconds> time_span_of(std::string_view text);

}  // namespace muster::healthcheck
