// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/cli/fleet/job_request.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck::fleet {
namespace {

int print_verdict(const Verdict& verdict) {
  tell(fmt::format("muster fleet verdict: {}: {}\n", to_text(verdict.status),
                   results::shortened(verdict.sentence, 1500)));
  if (!verdict.summary.empty()) print_document(verdict.summary + (verdict.summary.ends_with('\n') ? "" : "\n"));
  return exit_code(verdict.status);
}

}  // namespace

int verdict_command(int argc, char** argv) {
  JobRequest given;
  std::string kind = "volcano";
  double wait = 1800;
  CommandLine line("Waits for the end of a job of muster in Kubernetes, prints its summary and exits by it",
                   "muster fleet verdict");
  add_options(line, given);
  line.add_choice("--kind", kind, {"volcano", "job"}, "Volcano's Job, or the one of Kubernetes itself");
  line.add_positive("--wait", wait, "Seconds to wait at most");
  line.examples(
      {"muster fleet verdict --job allreduce-1", "muster fleet verdict --job allreduce-1 --kind job --wait 600"});
  return line.run(argc, argv, [&] {
    return asked(given, kind == "volcano" ? Kind::volcano : Kind::core,
                 [&](const Server& server, const JobName& wanted, Stop& stop) {
                   return print_verdict(wait_for_verdict(server, wanted, wait, stop));
                 });
  });
}

}  // namespace muster::healthcheck::fleet
