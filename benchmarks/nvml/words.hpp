// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

// What NVML's numbers mean, in words. Bits and numbers that it does not know yet are given as numbers: "bit 9".
namespace muster::benchmarks::nvml {

// Why clocks are held down: "power cap, heat"; "none" for none. That a GPU has nothing to do is no reason here.
std::string slow_clock_words(std::uint64_t mask);

// "not supported", "not started", "in progress", "completed".
std::string fabric_state_words(unsigned state);

// What ails the fabric of a GPU: "degraded bandwidth, no partition"; "none" for nothing.
std::string fabric_health_words(std::uint32_t mask);

// "none", "reset the GPU", "reboot the node", "drain peers", "drain and reset".
std::string recovery_action_words(std::uint64_t action);

std::string on_or_off(bool on);

}  // namespace muster::benchmarks::nvml
