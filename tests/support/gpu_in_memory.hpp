// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory of GPUs that is the host's, in files of its own. MUSTER_FAULT: gpu_none (the program was built without CUDA),
// gpu_no_dma_buf, gpu_unreachable (neither dma-buf nor nvidia-peermem), gpu_copy (nothing can be copied from it).
namespace muster::tests {

bool is_on_gpu(const void* address);
bool is_file_of_gpu(int file);

}  // namespace muster::tests
