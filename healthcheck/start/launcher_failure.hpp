// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// What is known of a job that a launcher could not bring to its end.
struct LaunchedJob {
  std::vector<std::string> hosts;  // as the launcher was told them, in the order of ranks; none: this machine alone
  std::size_t ranks_on_each = 1;
  std::string launched_from;            // this machine's own name
  bool has_own_key = false;             // of ssh, which its workers have, too
  bool binds_ranks = false;             // to CPUs
  bool ranks_follow_the_hosts = false;  // rank 0 is on the first host, and so on
};

// Why a launcher failed.
struct LauncherFailure {
  std::string sentence;            // cause, host and remedy; never empty
  std::string cause;               // the same without host and remedy
  std::vector<std::string> hosts;  // the culprits, in the job's spelling where it has them; none where nobody says
  bool is_known = false;           // the cause is one of launcher_causes()
};

// From all that a launcher (mpirun of Open MPI 4 or 5, Hydra, srun) wrote. The first passage that tells a cause counts,
// for the last lines of a launcher are pleasantries, and name hosts without guilt. The exit code says little, and is
// told only where the launcher wrote nothing.
LauncherFailure why_launcher_failed(std::string_view said, int exit_code, const LaunchedJob& job);

// Whether the launcher told a cause after which it does not end by itself.
bool never_ends(std::string_view said);

}  // namespace muster::healthcheck
