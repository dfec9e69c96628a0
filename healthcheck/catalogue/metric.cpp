// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/metric.hpp"

#include "results/values/measurement.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view received = "received_";

}  // namespace

std::string of_receiver(std::string_view quantity) { return std::string(received).append(quantity); }

bool is_of_receiver(std::string_view metric) { return results::subject_of(metric).starts_with(received); }

}  // namespace muster::healthcheck
