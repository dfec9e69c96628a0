// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/cli/fleet/job_request.hpp"

#include "healthcheck/program/error.hpp"

namespace muster::healthcheck::fleet {

void add_options(CommandLine& line, JobRequest& given) {
  line.add("--job", given.job, "Name of the job");
  add_name_space(line, given.api);
  add_server(line, given.api);
}

int asked(const JobRequest& given, Kind kind, const std::function<int(const Server&, const JobName&, Stop&)>& ask) {
  if (given.job.empty()) throw UsageError("--job is missing: give the name of the job");
  require_name("--job", given.job);
  const Server server = server_of(given.api);
  const std::string name_space = name_space_of(given.api);
  Stop stop;
  return ask(server, JobName{kind, name_space, given.job}, stop);
}

}  // namespace muster::healthcheck::fleet
