// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "healthcheck/cli/command.hpp"
#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/program/streams.hpp"

namespace {

using namespace muster::healthcheck;
using namespace muster::healthcheck::fleet;

constexpr std::array commands{
    Command{"act", "Mark the nodes that failed, and unmark those that pass again", act_command},
    Command{"collect", "Make one report of those of all nodes", collect_command},
    Command{"compare", "Say which nodes are worse, better, new or gone between two reports", compare_command},
    Command{"label", "Give a node of Kubernetes its labels", label_command},
    Command{"labels", "Print the labels of this node", labels_command},
    Command{"night", "Test every node of a cluster once", night_command},
    Command{"summary", "Show the report of a fleet", summary_command},
    Command{"tell", "Tell a listener, such as a chat, how the fleet is", tell_command},
    Command{"verdict", "Wait for a job in Kubernetes and exit by its verdict", verdict_command},
    Command{"withdraw", "End a job of Volcano that does not start", withdraw_command},
};

}  // namespace

int main(int argc, char** argv) {
  constexpr Group group{"fleet", "Jobs of muster over many nodes",
                        "0 pass or warn, 1 fail or withdrawn, 2 usage, 3 unknown"};
  return with_streams("muster fleet", [&] { return run_group(group, commands, argc, argv); });
}
