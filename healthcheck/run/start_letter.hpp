// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// A host on which MPI takes long to connect the ranks.
struct WaitingHost {
  std::vector<std::string> addresses;  // by which the job knows the host
  std::vector<std::string> told = {};  // of the interfaces that others told MPI to use; none where they told nothing

  bool operator==(const WaitingHost&) const = default;
};

// What the first rank of a host tells muster launch then: that it waits for others.
std::string letter_of_waiting(const WaitingHost& host);

// The host of such a letter; nothing where it is another one.
std::optional<WaitingHost> read_letter_of_waiting(std::string_view letter);

}  // namespace muster::healthcheck
