// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/launch.hpp"

#include <fmt/format.h>

#include "healthcheck/check/checks_json.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/launch/reach.hpp"
#include "healthcheck/launch/worker.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"

namespace muster::healthcheck {
namespace {

constexpr const char* port_help = "Port of ssh";
constexpr const char* keys_help = "Folder of the job's own ssh keys: id_ed25519 or id_rsa, and authorized_keys";

void require_port(std::size_t port) {
  if (port < 1 || port > 65535)
    throw UsageError(fmt::format("--port: {} is not a port: give one from 1 to 65535", port));
}

}  // namespace

int launch_command(int argc, char** argv) {
  LaunchOptions options;
  options.common.report = default_report("CHECK");
  CommandLine line("Runs a check as one job on many hosts and brings its report back", "muster launch");
  add_options(line, options.common);
  line.group("Job");
  line.add_list("--hosts", options.hosts.hosts,
                "The hosts, separated by commas: gpu-1,gpu-2 or gpu-[01-16], gpu-1:8 for 8 ranks");
  line.add("--hostfile", options.hosts.hostfile, "File with a host on each line, as mpirun or mpiexec takes it");
  line.add("--task", options.hosts.task, "Task of a job of Volcano whose pods are the hosts");
  line.add_positive(
      "--ranks-on-each", options.ranks_on_each,
      "Ranks on each host (default: slots of the list of hosts, GPUs of the topology file, else 1, or 2 on one host)");
  line.add("--port", options.port, port_help);
  line.add_folder("--keys", options.keys, keys_help);
  line.add_list("--interface", options.interfaces,
                "Interfaces or networks of MPI's control and TCP traffic (eth0, 10.0.0.0/8)");
  line.add_positive("--wait", options.wait_seconds, "Seconds that all hosts have to answer");
  line.add_positive("--deadline", options.deadline_seconds, "Seconds for everything");
  line.add_rest(options.job, "CHECK [OPTIONS OF THE CHECK]", "A check that runs as a job: muster list names them");
  line.examples({"muster launch --hosts gpu-1,gpu-2 host_allreduce", "muster launch --hostfile hosts allreduce -e 1G"});
  return line.run(argc, argv, [&] {
    require_port(options.port);
    if (options.common.report == default_report("CHECK")) options.common.report = default_report(options.job.front());
    line.expect_outputs();
    const auto bin = installation().bin;
    return launch(options, bin, read_checks(bin / "checks.json"));
  });
}

int worker_command(int argc, char** argv) {
  WorkerOptions options;
  CommandLine line("Is a host of a job: runs an ssh server with the job's keys until it is told to stop",
                   "muster worker");
  line.add("--port", options.port, port_help);
  line.add_folder("--keys", options.keys, keys_help);
  line.add_folder("--scratch", options.scratch, "Folder for its private files (default: the system's)");
  line.examples({"muster worker --keys /keys --port 2222", "muster worker --keys keys --scratch /tmp"});
  return line.run(argc, argv, [&] {
    require_port(options.port);
    return work(options);
  });
}

int probe_command(int argc, char** argv) {
  std::size_t port = 22;
  std::string host = "localhost";
  CommandLine line("Says whether an ssh server answers on this machine; exit 1 when none does", "muster probe");
  line.add("--port", port, port_help);
  line.add("--host", host, "Ask another machine instead");
  line.examples({"muster probe", "muster probe --port 2222"});
  return line.run(argc, argv, [&] {
    require_port(port);
    const auto reason = why_no_ssh(host, port);
    fmt::print("{}\n", reason.empty() ? "ready" : reason);
    return reason.empty() ? 0 : 1;
  });
}

}  // namespace muster::healthcheck
