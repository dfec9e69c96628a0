// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace muster::healthcheck {

// Parses the arguments and runs the body. Bad usage and bad input become one sentence on stderr and 2, a call that
// should have worked one sentence and 3; --help prints and returns 0.
int run_command(CLI::App& app, int argc, const char* const* argv, const std::function<int()>& body);

}  // namespace muster::healthcheck
