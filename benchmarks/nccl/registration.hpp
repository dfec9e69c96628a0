// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <cstddef>

namespace muster::benchmarks::nccl {

// Tells NCCL of a buffer that it will be given again and again, which spares it copies; until its end.
class Registration {
 public:
  // Throws Error.
  Registration(ncclComm_t communicator, void* buffer, std::size_t bytes);
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  ncclComm_t communicator_;
  void* handle_ = nullptr;
};

}  // namespace muster::benchmarks::nccl
