// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "results/system/descriptor.hpp"

namespace muster::healthcheck {

using results::Descriptor;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

// Both ends are closed on exec. Throws std::system_error.
Pipe make_pipe();

}  // namespace muster::healthcheck
