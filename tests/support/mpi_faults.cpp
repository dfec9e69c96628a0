// SPDX-License-Identifier: Apache-2.0
// Preloaded into the ranks of a job, between them and MPI (MPI's profiling interface): MPI as a broken machine
// would do it. MUSTER_FAULT names the fault, MUSTER_FAULT_RANK the rank that has it, MUSTER_FAULT_MS for how long it is
// slow or late.
#include <mpi.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/capabilities.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int min_count = 64;  // smaller ones are not data but agreements between the ranks
constexpr std::chrono::milliseconds until_faults{5};
constexpr std::chrono::hours for_ever{1};

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void pause(int milliseconds) {
  const auto given = variable("MUSTER_FAULT_MS");
  std::this_thread::sleep_for(std::chrono::milliseconds(given.empty() ? milliseconds : std::atoi(given.data())));
}

bool has_fault() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == std::atoi(variable("MUSTER_FAULT_RANK").data());
}

void spoil(std::string_view fault, const std::vector<char>& before, char* result, std::size_t element) {
  if (fault == "flipped_bit") result[7 * element] ^= 0x10;
  if (fault == "last_element_lost") std::memset(result + before.size() - element, 0, element);
  if (fault == "nothing_received") std::memcpy(result, before.data(), before.size());
}

// A rank that says to be on another host, though its bytes reach the others through memory.
void change_name() {
  constexpr std::string_view name = "elsewhere";
  if ((unshare(CLONE_NEWUTS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWUTS) != 0) ||
      sethostname(name.data(), name.size()) != 0)
    std::perror("elsewhere");
}

// Root may lock memory whatever its limit is, unless it has lost its capabilities.
void lower_memlock() {
  const rlimit limit{.rlim_cur = 64U << 10, .rlim_max = 64U << 10};
  if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0 || !muster::tests::drop_capabilities()) std::perror("little_memlock");
}

}  // namespace

extern "C" int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static const auto fault = variable("MUSTER_FAULT");
  if (count < min_count || !has_fault()) return PMPI_Allreduce(send, receive, count, type, op, comm);
  if (fault == "slow") pause(20);
  int size = 0;
  PMPI_Type_size(type, &size);
  const auto element = static_cast<std::size_t>(size);
  auto* result = static_cast<char*>(receive);
  const std::vector<char> before(result, result + static_cast<std::size_t>(count) * element);
  const int code = PMPI_Allreduce(send, receive, count, type, op, comm);
  spoil(fault, before, result, element);
  return code;
}

extern "C" int MPI_Init(int* argc, char*** argv) {
  if (variable("OMPI_COMM_WORLD_RANK") == variable("MUSTER_FAULT_RANK")) {
    if (variable("MUSTER_FAULT") == "elsewhere") change_name();
    if (variable("MUSTER_FAULT") == "little_memlock") lower_memlock();
  }
  return PMPI_Init(argc, argv);
}

// A rank that leaves late what the others leave together is late wherever it goes next; the other faults come once the
// job measures.
extern "C" int MPI_Barrier(MPI_Comm comm) {
  static const auto fault = variable("MUSTER_FAULT");
  static const auto first = Clock::now();
  const int code = PMPI_Barrier(comm);
  if (!has_fault()) return code;
  if (fault == "late") pause(3);
  if (fault == "very_late") std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (Clock::now() < first + until_faults) return code;
  if (fault == "stuck") std::this_thread::sleep_for(for_ever);
  if (fault == "dies") std::raise(SIGKILL);
  if (fault == "stops") std::raise(SIGSTOP);
  if (fault == "refuses") return MPI_ERR_INTERN;
  return code;
}

// The second call of a rank comes after the job has begun; it is between two collective ones.
extern "C" int MPI_Get_library_version(char* version, int* length) {
  const auto now = Clock::now();
  static const auto first = now;
  if (variable("MUSTER_FAULT") == "absent" && now > first && has_fault()) std::this_thread::sleep_for(for_ever);
  return PMPI_Get_library_version(version, length);
}
