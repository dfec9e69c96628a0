// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/support/files.hpp"
#include "topology/machine/completed.hpp"
#include "topology/machine/picture.hpp"
#include "topology/machine/placement.hpp"
#include "topology/nccl/difference.hpp"
#include "topology/nccl/nccl_parser.hpp"

namespace {

using namespace muster;

void demand(bool holds) {
  if (!holds) std::abort();
}

// What was read can be written and read again. One text in eight is also drawn, placed and compared with a machine,
// which takes much longer than reading.
void use(std::string_view text) {
  static const auto found = topology::discover(topology::Sysfs(tests::source_folder() / "tests/machines/ndv5"));
  const auto machine = topology::read_topology(text).machine;
  demand(topology::read_topology(topology::to_nccl_xml(machine)).machine == machine);
  if (text.size() % 8 != 0) return;
  demand(!topology::picture(machine, {}).empty());
  topology::check_topology(text, found);
  topology::placement(topology::completed(machine, found), 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  topology::nccl_reads(text);
  try {
    use(text);
  } catch (const topology::Error&) {  // the right answer to a text that is no topology file
  }
  return 0;
}
