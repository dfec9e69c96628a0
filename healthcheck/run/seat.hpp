// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "topology/machine/placement.hpp"

namespace muster::healthcheck {

// The CPUs of each rank of a host, as muster launch tells its ranks: "0-11,48-59 12-23,60-71".
std::string seats_in_words(std::span<const topology::RankPlacement> seats);

// Where this rank may run, if not on the CPUs of its seat: "0-95 instead of 0-11". Empty where it may run on those and
// no others. Ranks are numbered host by host, in the order of the seats. Throws topology::Error where the words are no
// seats.
std::string misplacement(std::string_view seats, int rank, std::span<const int> allowed);

}  // namespace muster::healthcheck
