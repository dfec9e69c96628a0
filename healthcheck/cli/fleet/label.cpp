// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/label.hpp"

#include <filesystem>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"

namespace muster::healthcheck::fleet {

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

}  // namespace muster::healthcheck::fleet
