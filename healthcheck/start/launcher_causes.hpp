// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace muster::healthcheck {

// Who a cause is about, and so which host may be named.
enum class Blame {
  daemon,   // the host whose daemon did not start: that of ssh
  shell,    // the same, where that host's shell or loader says it: its session of ssh ends with 126 or 127
  host,     // the host that the launcher names, or that of the rank it names
  alike,    // a setting that all hosts have: one is named only where no other has said the same
  binding,  // as `host`, but nobody where ranks are bound: Open MPI 4 says the same of any host where they do not fit
  nobody,   // the command line, or the machine of the launcher
};

// Of Open MPI 4, also where mpirun has given up: it means nothing after a session of ssh that failed.
inline constexpr std::string_view marker_of_no_way_back = "daemon was unable to complete a TCP connection";

inline constexpr std::string_view remedy_of_host_key = "correct known_hosts here, or look whose machine answers";

// A known cause. The sentence of it is "CAUSE on HOST (QUOTE); REMEDY".
struct LauncherCause {
  std::string_view marker;  // both must be in one passage, whose lines are joined by blanks
  std::string_view more;    // of the marker; may be empty
  std::string_view cause;   // subject and verb: "its name cannot be resolved"
  std::string_view quoted;  // the field whose value is quoted; "*" is the first sentence, nothing quotes nothing
  std::string_view remedy;  // an imperative
  Blame blame = Blame::nobody;
  bool is_symptom = false;  // the launcher says so after many causes: another passage tells more
  bool never_ends = false;  // mpirun of Open MPI 4 waits without end after it
};

// The first that fits decides. The markers are of Open MPI 4 and 5, Hydra, srun, ssh, the shell and the loader.
std::span<const LauncherCause> launcher_causes();

}  // namespace muster::healthcheck
