// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "topology/cpu/cgroup.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/devices/dmi.hpp"
#include "topology/devices/hyperv.hpp"
#include "topology/kernel/error.hpp"
#include "topology/kernel/meminfo.hpp"
#include "topology/kernel/mounts.hpp"

namespace {

template <class Parse>
void offer(std::string_view text, Parse parse) {
  try {
    parse(text);
  } catch (const muster::topology::Error&) {  // the right answer to a text that is no such file
  }
}

}  // namespace

// The first byte chooses the parser, so that each gets its own inputs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster::topology;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 7) {
    case 0:
      offer(text, [](auto input) { cpu_list(input); });
      break;
    case 1:
      offer(text, [](auto input) { meminfo(input); });
      break;
    case 2:
      offer(text, [](auto input) { mounts(input); });
      break;
    case 3:
      offer(text, [](auto input) { memory_limit(input); });
      break;
    case 4:
      offer(text, [](auto input) { cpu_max(input); });
      break;
    case 5:
      offer(text, [](auto input) { hyperv_pool(input); });
      break;
    default:
      offer(text, [](auto input) { memory_bandwidth_limit(memory_devices(input)); });
  }
  return 0;
}
