// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace muster::topology {

// Dates as logs write them, in seconds since 1970. Each function takes the date and what belongs to it off the
// beginning of the text, or leaves the text as it is and returns nothing. Without a zone a date is taken for UTC.

// "2025-06-11T02:15:02.500000+02:00", "2025-06-11 02:15:02,5Z"
std::optional<double> take_iso_time(std::string_view& text);
// "Wed Jun 11 02:15:02 2025"
std::optional<double> take_c_time(std::string_view& text);
// "Jun 11 02:15:02": of the last such day before the log was written to, for the year is not told.
std::optional<double> take_syslog_time(std::string_view& text, double written);
// "Jun11 02:15", as dmesg -H; of the year as above.
std::optional<double> take_short_time(std::string_view& text, double written);

}  // namespace muster::topology
