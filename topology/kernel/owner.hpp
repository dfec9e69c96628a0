// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace muster::topology {

// The component that a file of the kernel is about, by the labels of facts about it:
// "sys/class/infiniband/mlx5_0/ports/1/rate" is of {nic: mlx5_0, port: 1}. Empty where the file is about the whole
// machine.
std::map<std::string, std::string, std::less<>> owner(std::string_view path);

}  // namespace muster::topology
