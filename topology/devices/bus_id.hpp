// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace muster::topology {

// Whether this is a PCI address as the kernel and NCCL spell it: "0001:00:00.0", in lower case.
bool is_bus_id(std::string_view text);

std::string lower_case(std::string_view text);

}  // namespace muster::topology
