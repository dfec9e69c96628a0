// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/cuda/gate.hpp"
#include "benchmarks/cuda/handles.hpp"
#include "benchmarks/nccl/profiler.hpp"
#include "benchmarks/ranks/ranks.hpp"

namespace muster::benchmarks::nccl {

// Device memory of NCCL's allocator, which it can register and share.
using DeviceMemory = Handle<void, ncclMemFree>;
DeviceMemory device_memory(std::size_t bytes);

// Where NCCL writes what it does: the log of what it connects and reads, and the topology that it found for this rank,
// which has that number among those that it will connect.
struct NcclFiles {
  std::filesystem::path log;
  std::filesystem::path topology;
  int rank = 0;
};

// Makes NCCL write them and tell Routes its profiler events; and read the topology file, if there is one. Must come
// before any other call of NCCL.
void listen_to_nccl(const NcclFiles& files, const std::optional<std::filesystem::path>& topology);

// Lets ranks of one host share its GPUs, unless the user has told NCCL how. Ranks with the same part of the host
// ("gpu-1/0") have a GPU each. NCCL has a setting for that from 2.30 on; before, each part must be a host to it, and is
// reached over the network. Must come before any other call of NCCL. Throws Error.
void let_ranks_share_gpus(const std::string& part_of_host);

// "2.28.9", of the library that was loaded.
std::string nccl_version();

// Ranks, each with a device, connected by NCCL. Throws Error.
class DeviceJob {
 public:
  // Connects the members of this rank's group of the job, or all of it. Collective.
  DeviceJob(Ranks& job, Ranks& members, int device);
  // Waits for the others, but not when an exception ends it: they may wait for this rank.
  ~DeviceJob();
  DeviceJob(const DeviceJob&) = delete;
  DeviceJob& operator=(const DeviceJob&) = delete;

  Ranks& job() const { return job_; }
  Ranks& members() const { return members_; }
  ncclComm_t communicator() const { return communicator_.get(); }
  cudaStream_t stream() const { return stream_.get(); }

  // Runs what will be timed to its end, once: at a first call NCCL connects and CUDA loads, which may wait for all that
  // is on the device, a closed gate included.
  void run(const std::function<void()>& enqueue);
  // This rank's seconds on the device for what `enqueue` puts on the stream, all of it there before it starts. What
  // NCCL chose for it is in routes().
  double seconds(const std::function<void()>& enqueue);
  // The same from when the devices of all members have come so far, and all ranks of the job have begun. Collective.
  double aligned_seconds(const std::function<void()>& enqueue);
  // Until everything on the stream is done.
  void wait() const;

  const Routes& routes() const { return routes_; }

 private:
  void align();
  double timed(bool aligned, const std::function<void()>& enqueue);

  Ranks& job_;
  Ranks& members_;
  Routes routes_;
  cuda::Stream stream_;
  cuda::Event start_;
  cuda::Event stop_;
  std::unique_ptr<cuda::Gate> gate_;  // made when the device is set
  Handle<ncclComm, ncclCommDestroy> communicator_;
  DeviceMemory one_;  // for the collective that aligns
};

// Bytes per second, in one direction, of so many exchanges with another rank, which makes the same call.
std::vector<double> device_exchange_rates(DeviceJob& job, int partner, std::size_t bytes, std::size_t exchanges);

}  // namespace muster::benchmarks::nccl
