// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/kubernetes/label.hpp"
#include "healthcheck/kubernetes/node_labels.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/streams.hpp"

namespace muster::healthcheck::fleet {
namespace {

// Labels of a prefix that others write too would be taken for ours.
void require_prefix(const std::string& prefix) {
  require_name("--prefix", prefix);
  for (const std::string_view others : {"kubernetes.io", "k8s.io", "ib"})
    if (prefix == others || prefix.ends_with(fmt::format(".{}", others)))
      throw UsageError(fmt::format("--prefix: {} is a prefix of others: give one of your own", prefix));
}

}  // namespace

int label_command(int argc, char** argv) {
  ApiOptions given;
  Labeling wanted;
  std::filesystem::path root = "/";
  CommandLine line("Gives a node of Kubernetes the labels that `muster fleet labels` prints, and keeps them right",
                   "muster fleet label");
  line.add("--node", wanted.node, "Name of the node, which is this machine");
  line.add_folder("--root", root, "Where this machine's folders sys and var are");
  line.add("--prefix", wanted.prefix, "Prefix of the values of Hyper-V; others of this prefix are taken off");
  line.add_positive("--every", wanted.every_seconds, "Seconds between looks at this machine");
  line.add("--once", wanted.once, "Do it once, within a minute");
  add_server(line, given);
  line.examples({"muster fleet label --node gpu-1 --once", "muster fleet label --node gpu-1 --every 600"});
  return line.run(argc, argv, [&] {
    if (wanted.node.empty()) throw UsageError("--node is missing: give the name of the node");
    require_name("--node", wanted.node);
    require_prefix(wanted.prefix);
    wanted.machine = topology::Sysfs(root);
    const Server server = server_of(given);
    Stop stop;
    return exit_code(label(server, wanted, stop));
  });
}

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
