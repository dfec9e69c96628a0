// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>
#include <string>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/kubernetes/wait.hpp"
#include "healthcheck/kubernetes/withdraw.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck::fleet {
namespace {

int conclude(const Verdict& verdict) {
  tell(fmt::format("muster fleet verdict: {}: {}\n", to_text(verdict.status),
                   results::shortened(verdict.sentence, 1500)));
  if (!verdict.summary.empty()) print_document(verdict.summary + (verdict.summary.ends_with('\n') ? "" : "\n"));
  return exit_code(verdict.status);
}

struct Asking {
  ApiOptions api;
  std::string job;
};

void add_options(CommandLine& line, Asking& given) {
  line.add("--job", given.job, "Name of the job");
  add_name_space(line, given.api);
  add_server(line, given.api);
}

// Runs what asks for the job that is named; gives an exit code.
int asked(const Asking& given, Kind kind, const std::function<int(const Server&, const Wanted&, Stop&)>& ask) {
  if (given.job.empty()) throw UsageError("--job is missing: give the name of the job");
  require_name("--job", given.job);
  const Server server = server_of(given.api);
  const std::string name_space = name_space_of(given.api);
  Stop stop;
  return ask(server, Wanted{kind, name_space, given.job}, stop);
}

}  // namespace

int verdict_command(int argc, char** argv) {
  Asking given;
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
                 [&](const Server& server, const Wanted& wanted, Stop& stop) {
                   return conclude(wait_for_verdict(server, wanted, wait, stop));
                 });
  });
}

int withdraw_command(int argc, char** argv) {
  Asking given;
  double after = 600;
  CommandLine line("Waits until a job of Volcano has started, and ends it when that takes too long: exit code 1",
                   "muster fleet withdraw");
  add_options(line, given);
  line.add_positive("--after", after, "Seconds that it may be pending");
  line.examples({"muster fleet withdraw --job allreduce-1", "muster fleet withdraw --job allreduce-1 --after 60"});
  return line.run(argc, argv, [&] {
    return asked(given, Kind::volcano, [&](const Server& server, const Wanted& wanted, Stop& stop) {
      const auto result = withdraw(server, wanted, after, stop);
      tell(fmt::format("muster fleet withdraw: {}\n", results::shortened(result.sentence, 1500)));
      return exit_code(result.start);
    });
  });
}

}  // namespace muster::healthcheck::fleet
