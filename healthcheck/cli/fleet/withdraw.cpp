// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/withdraw.hpp"

#include <fmt/format.h>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/cli/fleet/job_request.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck::fleet {

int withdraw_command(int argc, char** argv) {
  JobRequest given;
  double after = 600;
  CommandLine line("Waits until a job of Volcano has started, and ends it when that takes too long: exit code 1",
                   "muster fleet withdraw");
  add_options(line, given);
  line.add_positive("--after", after, "Seconds that it may be pending");
  line.examples({"muster fleet withdraw --job allreduce-1", "muster fleet withdraw --job allreduce-1 --after 60"});
  return line.run(argc, argv, [&] {
    return asked(given, Kind::volcano, [&](const Server& server, const JobName& wanted, Stop& stop) {
      const auto result = withdraw(server, wanted, after, stop);
      tell(fmt::format("muster fleet withdraw: {}\n", results::shortened(result.sentence, 1500)));
      return exit_code(result.start);
    });
  });
}

}  // namespace muster::healthcheck::fleet
