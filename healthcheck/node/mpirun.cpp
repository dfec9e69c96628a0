// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/mpirun.hpp"

#include <algorithm>

#include "healthcheck/find_program.hpp"

namespace muster::healthcheck {

std::vector<std::string> mpirun(std::size_t gpus) {
  return {find_program("mpirun", "install Open MPI"),
          "--allow-run-as-root",
          "--oversubscribe",
          "--bind-to",
          "none",
          "-np",
          std::to_string(std::max<std::size_t>(2, gpus))};
}

}  // namespace muster::healthcheck
