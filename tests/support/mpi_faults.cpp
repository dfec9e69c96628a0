// SPDX-License-Identifier: Apache-2.0
// Preloaded into the ranks of a job, between them and MPI (MPI's profiling interface): MPI as a broken machine
// would do it. MUSTER_FAULT names the fault, MUSTER_FAULT_RANK the rank that has it.
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int least_count = 64;  // smaller ones are not data but agreements between the ranks

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
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

}  // namespace

extern "C" int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static const auto fault = variable("MUSTER_FAULT");
  if (count < least_count || !has_fault()) return PMPI_Allreduce(send, receive, count, type, op, comm);
  if (fault == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(20));
  int size = 0;
  PMPI_Type_size(type, &size);
  const auto element = static_cast<std::size_t>(size);
  auto* result = static_cast<char*>(receive);
  const std::vector<char> before(result, result + static_cast<std::size_t>(count) * element);
  const int code = PMPI_Allreduce(send, receive, count, type, op, comm);
  spoil(fault, before, result, element);
  return code;
}

// A rank that leaves late what the others leave together is late wherever it goes next.
extern "C" int MPI_Barrier(MPI_Comm comm) {
  const int code = PMPI_Barrier(comm);
  if (variable("MUSTER_FAULT") == "late" && has_fault()) std::this_thread::sleep_for(std::chrono::milliseconds(3));
  return code;
}
