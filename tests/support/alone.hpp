// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace muster::tests {

// Runs a row of a table in a process of its own, so that what it changes of its process stays with it; expects that no
// expectation fails there.
void alone(const std::function<void()>& row);

}  // namespace muster::tests
