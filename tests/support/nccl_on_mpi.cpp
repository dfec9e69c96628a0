// SPDX-License-Identifier: Apache-2.0
// What the check allreduce needs of NCCL, over MPI and between memories of hosts. As NCCL does, it finds its profiler
// plug-in in the program, and writes a log. MUSTER_FAULT on rank MUSTER_FAULT_RANK: nccl_flipped_bit, nccl_slow,
// nccl_late (in what follows a collective of one element, which aligns), nccl_error, nccl_dies, nccl_stops,
// nccl_lost_nvlink; nccl_silent (no events) on all. MUSTER_PATH is what its channels go "via"; it uses two, and one
// more for each registered buffer.
#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <nccl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/collectives/element.hpp"
#include "benchmarks/nccl/profiler_v5.hpp"
#include "tests/support/cuda_on_host.hpp"

using namespace muster::benchmarks;

namespace {

constexpr std::size_t before_faults = 8;  // calls, so that the job measures when they come

std::string variable(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

DataType type_of(ncclDataType_t type) {
  switch (type) {
    case ncclFloat32:
      return DataType::float32;
    case ncclFloat64:
      return DataType::float64;
    case ncclFloat16:
      return DataType::float16;
    case ncclBfloat16:
      return DataType::bfloat16;
    case ncclInt32:
      return DataType::int32;
    case ncclInt64:
    case ncclUint64:
      return DataType::int64;
    default:
      return DataType::int8;
  }
}

// All that is moved are whole numbers.
std::uint64_t whole(DataType type, const std::byte* at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, bytes_of(type));
  switch (type) {
    case DataType::float32:
      return static_cast<std::uint64_t>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case DataType::float64:
      return static_cast<std::uint64_t>(std::bit_cast<double>(bits));
    case DataType::float16:
      return bits == 0
                 ? 0
                 : static_cast<std::uint64_t>(std::ldexp(1024 + (bits & 1023), static_cast<int>(bits >> 10) - 25));
    case DataType::bfloat16:
      return static_cast<std::uint64_t>(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
    default:
      return bits;
  }
}

std::uint64_t reduced(std::uint64_t one, std::uint64_t other, ncclRedOp_t op) {
  if (op == ncclProd) return one * other;
  if (op == ncclMin) return std::min(one, other);
  if (op == ncclMax) return std::max(one, other);
  return one + other;
}

}  // namespace

struct ncclComm {
  int rank = 0;
  int ranks = 1;
  MPI_Comm communicator = MPI_COMM_WORLD;
  const nccl::profiler_v5::Plugin* plugin = nullptr;
  void* context = nullptr;
  std::size_t calls = 0;
  std::set<const void*> registered;

  static bool is_faulty(const std::string& fault, int number) {
    return variable("MUSTER_FAULT") == fault && variable("MUSTER_FAULT_RANK", "0") == std::to_string(number);
  }
  bool has(const std::string& fault) const { return is_faulty(fault, rank); }

  void tell(const nccl::profiler_v5::Event& event) const {
    auto copy = event;
    void* handle = nullptr;
    if (plugin != nullptr && variable("MUSTER_FAULT") != "nccl_silent") plugin->start_event(context, &handle, &copy);
  }

  void tell_collective() {
    ++calls;
    if (ranks > 1)
      tell({.type = nccl::profiler_v5::collectives,
            .rank = rank,
            .collective = {.channels = static_cast<std::uint8_t>(2 + registered.size()),
                           .algorithm = "RING",
                           .protocol = "SIMPLE"}});
    if (has("nccl_dies") && calls > before_faults) std::raise(SIGKILL);
    if (has("nccl_stops") && calls > before_faults) std::raise(SIGSTOP);
    if (has("nccl_slow")) std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }

  void tell_message(int peer) const {
    tell({.type = nccl::profiler_v5::sends_and_receives,
          .rank = rank,
          .send_or_receive = {.peer = peer, .channels = 1}});
  }

  // The parts of all ranks, one after the other.
  std::vector<std::byte> all(const void* own, std::size_t bytes) const {
    std::vector<std::byte> parts(bytes * static_cast<std::size_t>(ranks));
    const int count = static_cast<int>(bytes);
    MPI_Allgather(own, count, MPI_BYTE, parts.data(), count, MPI_BYTE, communicator);
    return parts;
  }

  // What NCCL finds on a machine with an H100 for every rank; the faulty one may have lost an NVLink.
  void dump() const {
    std::ofstream file(variable("NCCL_TOPO_DUMP_FILE"));
    file << R"(<system version="1"><cpu numaid="0">)";
    for (int gpu = 0; gpu < ranks; ++gpu)
      file << fmt::format(R"(<pci busid="{0:04x}:00:00.0" class="0x030200"><gpu dev="{0}" sm="90" rank="{0}">)"
                          R"(<nvlink target="fffffff:ffff:ff" count="{1}" tclass="0x068000"/></gpu></pci>)",
                          gpu, is_faulty("nccl_lost_nvlink", gpu) ? 17 : 18);
    file << "</cpu></system>";
  }

  // NCCL takes no GPU twice on one host, unless it is told to.
  bool has_a_gpu_twice() const {
    if (variable("MUSTER_GPUS") != "1") return false;
    if (NCCL_VERSION_CODE >= NCCL_VERSION(2, 30, 0) && variable("NCCL_MULTI_RANK_GPU_ENABLE") == "1") return false;
    std::array<char, 64> host{};
    variable("NCCL_HOSTID").copy(host.data(), host.size());
    const auto hosts = all(host.data(), host.size());
    std::set<std::string> different;
    for (std::size_t at = 0; at < hosts.size(); at += host.size())
      different.emplace(reinterpret_cast<const char*>(hosts.data()) + at, host.size());
    return different.size() < static_cast<std::size_t>(ranks);
  }

  void log() const {
    std::ofstream file(variable("NCCL_DEBUG_FILE"));
    const auto say = [&](const std::string& words) { file << "host:1:1 [0] NCCL INFO " << words << "\n"; };
    const auto path = variable("MUSTER_PATH", "P2P/CUMEM/read");
    say(path.starts_with("NET/IB") ? "Using network IB" : "Using network Socket");
    say("NVLS multicast support is not available on dev 0");
    say(fmt::format("Channel 00/0 : {}[0] -> {}[0] [send] via {}", rank, (rank + 1) % ranks, path));
    if (const auto topology = variable("NCCL_TOPO_FILE"); !topology.empty())
      say(std::ifstream(topology) ? "Loading topology file " + topology
                                  : "Could not open XML topology file " + topology + " : No such file or directory");
  }
};

namespace {

ncclResult_t reduce(const void* from, void* to, std::size_t first, std::size_t count, std::size_t total,
                    ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm) {
  comm->tell_collective();
  const auto kind = type_of(type);
  const auto size = bytes_of(kind);
  const auto parts = comm->all(from, total * size);
  auto* result = static_cast<std::byte*>(to);
  const auto divisor = op == ncclAvg ? static_cast<std::uint64_t>(comm->ranks) : 1;
  for (std::size_t index = 0; index < count; ++index) {
    auto value = whole(kind, parts.data() + (first + index) * size);
    for (std::size_t rank = 1; rank < static_cast<std::size_t>(comm->ranks); ++rank)
      value = reduced(value, whole(kind, parts.data() + (rank * total + first + index) * size), op);
    const auto bits = with_type(kind, [&](auto element) { return std::uint64_t{element.bits(value, divisor)}; });
    std::memcpy(result + index * size, &bits, size);
  }
  if (comm->has("nccl_late") && count == 1) std::this_thread::sleep_for(std::chrono::milliseconds(150));
  if (comm->has("nccl_flipped_bit") && count > 7 && comm->calls > before_faults) result[7 * size] ^= std::byte{0x10};
  return ncclSuccess;
}

}  // namespace

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclRemoteError ? "remote process exited or there was a network error" : "no error";
}
const char* ncclGetLastError(ncclComm_t) { return ""; }
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  *id = {};
  int colour = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &colour);
  std::memcpy(id->internal, &colour, sizeof(colour));
  return ncclSuccess;
}
ncclResult_t ncclMemAlloc(void** memory, std::size_t bytes) {
  return cudaMalloc(memory, bytes) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}
ncclResult_t ncclMemFree(void* memory) {
  return cudaFree(memory) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config) {
  auto comm = std::make_unique<ncclComm>(ncclComm{.rank = rank, .ranks = ranks});
  int colour = 0;
  std::memcpy(&colour, id.internal, sizeof(colour));
  MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &comm->communicator);
  if (comm->has_a_gpu_twice()) return ncclInvalidUsage;
  if (variable("NCCL_PROFILER_PLUGIN") == "STATIC_PLUGIN")
    comm->plugin = static_cast<const nccl::profiler_v5::Plugin*>(dlsym(dlopen(nullptr, RTLD_NOW), "ncclProfiler_v5"));
  int wanted = 0;
  if (comm->plugin != nullptr)
    comm->plugin->init(&comm->context, 1, &wanted, config->commName, 1, ranks, rank, nullptr);
  comm->log();
  if (variable("NCCL_TOPO_DUMP_FILE_RANK", "0") == std::to_string(rank)) comm->dump();
  *made = comm.release();
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  const std::unique_ptr<ncclComm> owned(comm);
  if (!comm->registered.empty()) std::abort();
  return ncclSuccess;
}
ncclResult_t ncclCommRegister(ncclComm_t comm, void* buffer, std::size_t, void** handle) {
  *handle = buffer;
  return comm->registered.insert(buffer).second ? ncclSuccess : ncclInvalidUsage;
}
ncclResult_t ncclCommDeregister(ncclComm_t comm, void* handle) {
  return comm->registered.erase(handle) == 1 ? ncclSuccess : ncclInvalidUsage;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) { return ncclCommDestroy(comm); }
ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t* error) {
  *error = ncclSuccess;
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t) {
  if (comm->has("nccl_error") && comm->calls > before_faults) return ncclRemoteError;
  return reduce(from, to, 0, count, count, type, op, comm);
}
ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, cudaStream_t) {
  return reduce(from, to, static_cast<std::size_t>(comm->rank) * count, count,
                static_cast<std::size_t>(comm->ranks) * count, type, op, comm);
}
ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t) {
  comm->tell_collective();
  const auto parts = comm->all(from, count * bytes_of(type_of(type)));
  std::memcpy(to, parts.data(), parts.size());
  return ncclSuccess;
}
ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t) {
  comm->tell_collective();
  const auto bytes = count * bytes_of(type_of(type));
  if (comm->rank == root && from != to) std::memcpy(to, from, bytes);
  MPI_Bcast(to, static_cast<int>(bytes), MPI_BYTE, root, comm->communicator);
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() { return ncclSuccess; }
ncclResult_t ncclGroupEnd() { return ncclSuccess; }
ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  comm->tell_message(peer);
  MPI_Isend(from, static_cast<int>(count * bytes_of(type_of(type))), MPI_BYTE, peer, 0, comm->communicator,
            &stream->pending.emplace_back());
  return ncclSuccess;
}
ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  comm->tell_message(peer);
  MPI_Irecv(to, static_cast<int>(count * bytes_of(type_of(type))), MPI_BYTE, peer, 0, comm->communicator,
            &stream->pending.emplace_back());
  return ncclSuccess;
}
