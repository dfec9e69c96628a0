// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/log/log_front.hpp"

// What system logs put in front of a message. Each function says whether it is there, and takes it off the line.
namespace muster::topology::front {

// "host kernel: " behind a time; what another program said is no message.
void take_host_and_tag(LogLine& line);
// "Jun 11 02:15:02 host kernel: "
bool take_syslog(LogLine& line, double written);
// "1 2025-06-11T02:15:02Z host kernel - - - " behind a priority: RFC 5424.
bool take_rfc5424(LogLine& line);
// "Wed 2025-06-11 02:15:02 UTC host kernel: " of journalctl; with "[s=" it begins a record of --output verbose.
bool take_full_date(LogLine& line);
// Any time and host before the kernel's tag.
bool take_unknown_syslog(LogLine& line);

}  // namespace muster::topology::front
