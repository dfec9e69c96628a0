// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/nccl/registration.hpp"

#include "benchmarks/nccl/call.hpp"

namespace muster::benchmarks::nccl {

Registration::Registration(ncclComm_t communicator, void* buffer, std::size_t bytes) : communicator_(communicator) {
  require_nccl(ncclCommRegister(communicator, buffer, bytes, &handle_), "ncclCommRegister");
}

Registration::~Registration() { ncclCommDeregister(communicator_, handle_); }

}  // namespace muster::benchmarks::nccl
