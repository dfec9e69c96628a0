// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/nccl/device_job.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <thread>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/error.hpp"
#include "benchmarks/nccl/call.hpp"

namespace muster::benchmarks::nccl {
namespace {

constexpr double seconds_per_millisecond = 1e-3;

std::string as_text(const ncclUniqueId& id) {
  std::string digits;
  for (const char byte : id.internal) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

ncclUniqueId from_text(const std::string& digits) {
  ncclUniqueId id{};
  for (std::size_t at = 0; at < sizeof(id.internal); ++at)
    id.internal[at] = static_cast<char>(std::stoi(digits.substr(2 * at, 2), nullptr, 16));
  return id;
}

// Collective.
ncclUniqueId common_id(Ranks& ranks) {
  std::string digits;
  together(ranks, [&] {
    ncclUniqueId own{};
    if (ranks.rank() != 0) return;
    require_nccl(ncclGetUniqueId(&own), "ncclGetUniqueId");
    digits = as_text(own);
  });
  return from_text(ranks.broadcast(digits));
}

ncclComm_t connect(Ranks& ranks, const Routes& routes) {
  const auto id = common_id(ranks);
  const auto name = routes.communicator_name();
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.commName = name.c_str();
  ncclComm_t made = nullptr;
  const Steps::Inside inside(ranks.steps());
  require_nccl(ncclCommInitRankConfig(&made, ranks.size(), id, ranks.rank(), &config), "ncclCommInitRankConfig");
  return made;
}

// 22809 is 2.28.9.
int version_code() {
  int version = 0;
  require_nccl(ncclGetVersion(&version), "ncclGetVersion");
  return version;
}

}  // namespace

DeviceMemory device_memory(std::size_t bytes) {
  void* memory = nullptr;
  require_nccl(ncclMemAlloc(&memory, bytes), "ncclMemAlloc");
  return DeviceMemory(memory);
}

void listen_to_nccl(const NcclFiles& files, const std::optional<std::filesystem::path>& topology) {
  setenv("NCCL_DEBUG", "INFO", 1);
  setenv("NCCL_DEBUG_SUBSYS", "INIT,NET,GRAPH,ENV", 1);
  setenv("NCCL_DEBUG_FILE", files.log.c_str(), 1);
  setenv("NCCL_TOPO_DUMP_FILE", files.topology.c_str(), 1);
  setenv("NCCL_TOPO_DUMP_FILE_RANK", std::to_string(files.rank).c_str(), 1);
  setenv("NCCL_PROFILER_PLUGIN", "STATIC_PLUGIN", 1);
  if (topology) setenv("NCCL_TOPO_FILE", topology->c_str(), 1);
}

void let_ranks_share_gpus(const std::string& part_of_host) {
  if (version_code() >= NCCL_VERSION(2, 30, 0))
    setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 0);
  else
    setenv("NCCL_HOSTID", part_of_host.c_str(), 0);
}

std::string nccl_version() {
  const int version = version_code();
  return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}

DeviceJob::DeviceJob(Ranks& job, Ranks& members, int device) : job_(job), members_(members) {
  together(job, [&] {
    cuda::require_cuda(cudaSetDevice(device), "cudaSetDevice");
    stream_ = cuda::make_stream();
    start_ = cuda::make_event();
    stop_ = cuda::make_event();
    gate_ = std::make_unique<cuda::Gate>();
    one_ = device_memory(sizeof(float));
  });
  communicator_.reset(connect(members, routes_));
  run([&] { align(); });
}

DeviceJob::~DeviceJob() {
  if (std::uncaught_exceptions() > 0) ncclCommAbort(communicator_.release());
}

void DeviceJob::run(const std::function<void()>& enqueue) {
  const Steps::Inside inside(job_.steps());
  enqueue();
  wait();
}

double DeviceJob::seconds(const std::function<void()>& enqueue) { return timed(false, enqueue); }

double DeviceJob::aligned_seconds(const std::function<void()>& enqueue) { return timed(true, enqueue); }

double DeviceJob::timed(bool aligned, const std::function<void()>& enqueue) {
  if (aligned) job_.barrier();
  const Steps::Inside inside(job_.steps());
  {
    const cuda::Gate::Closed closed(*gate_, stream());
    if (aligned) align();
    routes_.clear();
    cuda::require_cuda(cudaEventRecord(start_.get(), stream()), "cudaEventRecord");
    enqueue();
    cuda::require_cuda(cudaEventRecord(stop_.get(), stream()), "cudaEventRecord");
  }
  wait();
  float milliseconds = 0;
  cuda::require_cuda(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()), "cudaEventElapsedTime");
  return seconds_per_millisecond * static_cast<double>(milliseconds);
}

void DeviceJob::align() {
  require_nccl(ncclAllReduce(one_.get(), one_.get(), 1, ncclFloat, ncclSum, communicator(), stream()), "ncclAllReduce");
}

void DeviceJob::wait() const {
  for (;;) {
    const auto state = cudaStreamQuery(stream());
    if (state == cudaSuccess) return;
    if (state != cudaErrorNotReady) cuda::require_cuda(state, "cudaStreamQuery");
    ncclResult_t trouble = ncclSuccess;
    require_nccl(ncclCommGetAsyncError(communicator(), &trouble), "ncclCommGetAsyncError");
    require_nccl(trouble, "a collective");
    std::this_thread::yield();
  }
}

std::vector<double> device_exchange_rates(DeviceJob& job, int partner, std::size_t bytes, std::size_t exchanges) {
  const auto sent = device_memory(bytes);
  const auto received = device_memory(bytes);
  const auto exchange = [&] {
    require_nccl(ncclGroupStart(), "ncclGroupStart");
    require_nccl(ncclSend(sent.get(), bytes, ncclInt8, partner, job.communicator(), job.stream()), "ncclSend");
    require_nccl(ncclRecv(received.get(), bytes, ncclInt8, partner, job.communicator(), job.stream()), "ncclRecv");
    require_nccl(ncclGroupEnd(), "ncclGroupEnd");
  };
  job.run(exchange);
  std::vector<double> rates;
  for (std::size_t count = 0; count < exchanges; ++count)
    rates.push_back(static_cast<double>(bytes) / job.seconds(exchange));
  return rates;
}

}  // namespace muster::benchmarks::nccl
