// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace muster::healthcheck::fleet {

// `muster fleet collect` and `muster fleet summary`; each gives an exit code.
int collect_command(int argc, char** argv);
int summary_command(int argc, char** argv);

}  // namespace muster::healthcheck::fleet
