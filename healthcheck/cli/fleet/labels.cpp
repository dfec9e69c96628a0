// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/kubernetes/node_labels.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/streams.hpp"

namespace muster::healthcheck::fleet {

int labels_command(int argc, char** argv) {
  std::filesystem::path root = "/";
  std::string prefix = "hyperv";
  CommandLine line(
      "Prints, as JSON, the labels and annotations that tell a node of Kubernetes where it is: its values of "
      "Hyper-V, its InfiniBand partition, the GUIDs of its adapters",
      "muster fleet labels");
  line.add_folder("--root", root, "A captured tree in the place of this machine");
  line.add("--prefix", prefix, "Prefix of the values of Hyper-V");
  line.examples({"muster fleet labels", "muster fleet labels --root captured"});
  return line.run(argc, argv, [&] {
    require_prefix(prefix);
    print_document(to_json(node_labels(topology::Sysfs(root), prefix)) + "\n");
    return 0;
  });
}

}  // namespace muster::healthcheck::fleet
