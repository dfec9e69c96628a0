// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace muster::results {

// The least rate in Hz at which so many independent events in a time are still likelier than 1 in 10,000; the mean rate
// is above it but for that chance. Never above the exact Poisson bound for few events (Wilson and Hilferty 1931).
double min_rate(double events, double seconds);

}  // namespace muster::results
