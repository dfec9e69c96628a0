// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// What the first rank of a host tells muster launch where MPI takes long to connect the ranks: that it waits for
// others. The addresses are those by which the job knows the host.
std::string letter_of_waiting(std::span<const std::string> addresses);

// The addresses of such a letter; nothing where it is another one.
std::optional<std::vector<std::string>> read_letter_of_waiting(std::string_view letter);

}  // namespace muster::healthcheck
