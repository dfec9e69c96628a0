// SPDX-License-Identifier: Apache-2.0
// Preloaded into mpirun, which binds its ranks before it starts them: a machine that has every CPU. A file in the
// folder MUSTER_BINDINGS, called by the process, says to which CPUs it would have been bound.
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

extern "C" int sched_setaffinity(pid_t process, std::size_t bytes, const cpu_set_t* cpus) noexcept {
  const char* folder = std::getenv("MUSTER_BINDINGS");
  if (folder == nullptr) return 0;
  std::ofstream file(std::string(folder) + "/" + std::to_string(process == 0 ? ::getpid() : process));
  for (std::size_t cpu = 0; cpu < 8 * bytes; ++cpu)
    if (CPU_ISSET_S(cpu, bytes, cpus)) file << cpu << ' ';
  return 0;
}
