// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace muster::healthcheck {

// `muster topology place`.
int place(int argc, char** argv);

}  // namespace muster::healthcheck
