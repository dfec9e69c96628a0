// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

#include "healthcheck/cli/command.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/fleet/act.hpp"
#include "healthcheck/fleet/collect.hpp"
#include "healthcheck/fleet/label.hpp"
#include "healthcheck/fleet/wait.hpp"
#include "healthcheck/fleet/withdraw.hpp"
#include "healthcheck/provision/node_labels.hpp"
#include "results/file.hpp"
#include "results/utf8.hpp"
#include "topology/scan.hpp"

namespace {

using namespace muster::healthcheck;
using fleet::Kind;

using OptionalPath = std::optional<std::filesystem::path>;

// What Kubernetes puts into each pod.
constexpr auto account = "/var/run/secrets/kubernetes.io/serviceaccount";

struct Arguments {
  std::string job;
  std::optional<std::string> name_space;
  std::optional<std::string> server;
  OptionalPath token, ca, certificate, key;
};

// Names go into addresses; RFC 1123 subdomains are what Kubernetes allows.
void require_name(const std::string& option, const std::string& name) {
  if (name.empty() || name.size() > 253 ||
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") != name.npos)
    throw UsageError(fmt::format("{}: '{}' is no name of Kubernetes: small letters, digits, - and .", option, name));
}

// Labels of a prefix that others write too would be taken for ours.
void require_prefix(const std::string& prefix) {
  require_name("--prefix", prefix);
  for (const std::string_view others : {"kubernetes.io", "k8s.io", "ib"})
    if (prefix == others || prefix.ends_with(fmt::format(".{}", others)))
      throw UsageError(fmt::format("--prefix: {} is a prefix of others: give one of your own", prefix));
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets it
  return value == nullptr ? "" : value;
}

fleet::Server server_of(const Arguments& given) {
  if (given.certificate.has_value() != given.key.has_value())
    throw UsageError("--certificate and --key go together: give both or neither");
  fleet::Server server{given.server.value_or(""), given.token, given.ca, given.certificate, given.key};
  if (!given.server) {
    const std::string host = variable("KUBERNETES_SERVICE_HOST");
    const std::string port = variable("KUBERNETES_SERVICE_PORT");
    if (host.empty())
      throw UsageError("this is no pod, as KUBERNETES_SERVICE_HOST is not set: give --server, --token and --ca");
    const bool is_ipv6 = host.find(':') != host.npos;
    server.url = fmt::format("https://{}:{}", is_ipv6 ? "[" + host + "]" : host, port.empty() ? "443" : port);
    const std::filesystem::path folder = account;
    if (!server.token && !server.certificate) server.token = folder / "token";
    if (!server.ca) server.ca = folder / "ca.crt";
  }
  for (const auto& file : {server.token, server.ca, server.certificate, server.key})
    if (file) muster::results::read_text(*file);
  return server;
}

std::string name_space_of(const Arguments& given) {
  if (given.name_space) return *given.name_space;
  if (given.server) return "default";
  const auto text = muster::results::read_text(std::filesystem::path(account) / "namespace");
  return std::string(muster::topology::trimmed(text));
}

int conclude(const fleet::Verdict& verdict) {
  if (!verdict.summary.empty()) fmt::print("{}{}", verdict.summary, verdict.summary.ends_with('\n') ? "" : "\n");
  const bool is_written = std::fflush(stdout) == 0;
  fmt::print(stderr, "muster fleet verdict: {}: {}\n", to_text(verdict.status),
             muster::results::shortened(verdict.sentence, 1500));
  return is_written ? exit_code(verdict.status) : 3;
}

void add_server(CommandLine& line, Arguments& given) {
  line.add("--server", given.server, "Address of the API server (default: that of this pod)");
  line.add("--token", given.token, "File with a bearer token (default: that of this pod)");
  line.add("--ca", given.ca, "File with the certificates to trust (default: that of this pod)");
  line.add("--certificate", given.certificate, "File with a certificate of the client");
  line.add("--key", given.key, "File with its key");
}

void add_options(CommandLine& line, Arguments& given) {
  line.add("--job", given.job, "Name of the job");
  line.add("--namespace", given.name_space, "Where it is (default: that of this pod, else default)");
  add_server(line, given);
}

// Runs what asks for the job that is named; gives an exit code.
int asked(const Arguments& given, Kind kind,
          const std::function<int(const fleet::Server&, const fleet::Wanted&, fleet::Stop&)>& ask) {
  if (given.job.empty()) throw UsageError("--job is missing: give the name of the job");
  require_name("--job", given.job);
  const fleet::Server server = server_of(given);
  const std::string name_space = name_space_of(given);
  require_name("--namespace", name_space);
  signal(SIGPIPE, SIG_IGN);  // the server or the reader of stdout may go away
  fleet::Stop stop;
  return ask(server, fleet::Wanted{kind, name_space, given.job}, stop);
}

int verdict_command(int argc, char** argv) {
  Arguments given;
  std::string kind = "volcano";
  double wait = 1800;
  CommandLine line("Waits for the end of a job of muster in Kubernetes, prints its summary and exits by it",
                   "muster fleet verdict");
  add_options(line, given);
  line.add_choice("--kind", kind, {"volcano", "job"}, "Volcano's Job, or the one of Kubernetes itself");
  line.add_positive("--wait", wait, "Seconds to wait at most");
  return line.run(argc, argv, [&] {
    return asked(given, kind == "volcano" ? Kind::volcano : Kind::core,
                 [&](const fleet::Server& server, const fleet::Wanted& wanted, fleet::Stop& stop) {
                   return conclude(fleet::wait_for_verdict(server, wanted, wait, stop));
                 });
  });
}

int withdraw_command(int argc, char** argv) {
  Arguments given;
  double after = 600;
  CommandLine line("Waits until a job of Volcano has started, and ends it when that takes too long: exit code 1",
                   "muster fleet withdraw");
  add_options(line, given);
  line.add_positive("--after", after, "Seconds that it may be pending");
  return line.run(argc, argv, [&] {
    return asked(given, Kind::volcano,
                 [&](const fleet::Server& server, const fleet::Wanted& wanted, fleet::Stop& stop) {
                   const auto result = fleet::withdraw(server, wanted, after, stop);
                   fmt::print(stderr, "muster fleet withdraw: {}\n", muster::results::shortened(result.sentence, 1500));
                   return exit_code(result.start);
                 });
  });
}

int label_command(int argc, char** argv) {
  Arguments given;
  fleet::Labeling wanted{.node = "", .root = "/", .prefix = "hyperv"};
  CommandLine line("Gives a node of Kubernetes the labels that `muster fleet labels` prints, and keeps them right",
                   "muster fleet label");
  line.add("--node", wanted.node, "Name of the node, which is this machine");
  line.add("--root", wanted.root, "Where this machine's folders sys and var are");
  line.add("--prefix", wanted.prefix, "Prefix of the values of Hyper-V; others of this prefix are taken off");
  line.add_positive("--every", wanted.every_seconds, "Seconds between looks at this machine");
  line.add("--once", wanted.once, "Do it once, within a minute");
  add_server(line, given);
  return line.run(argc, argv, [&] {
    if (wanted.node.empty()) throw UsageError("--node is missing: give the name of the node");
    require_name("--node", wanted.node);
    require_prefix(wanted.prefix);
    muster::topology::Sysfs(wanted.root);  // which throws where there is nothing
    const fleet::Server server = server_of(given);
    signal(SIGPIPE, SIG_IGN);  // the server may go away
    fleet::Stop stop;
    return exit_code(fleet::label(server, wanted, stop));
  });
}

int act_command(int argc, char** argv) {
  Arguments given;
  std::filesystem::path file;
  fleet::Acting wanted;
  CommandLine line(
      "Marks the nodes that failed with a label and a taint, and takes its marks off those that pass again",
      "muster fleet act");
  line.add("REPORT", file, "What `muster fleet collect` wrote");
  line.add("--apply", wanted.apply, "Do it; without this it is only said what would be done");
  line.add("--most", wanted.cap.count, "Nodes that one report may mark anew: with more, none is");
  line.add_positive("--most-share", wanted.cap.share, "And this share of all, but one in any case");
  line.add_choice("--effect", wanted.effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, "Effect of the taint");
  line.add_positive("--wait", wanted.wait_seconds, "Seconds for all of it, where the API server is in trouble");
  add_server(line, given);
  return line.run(argc, argv, [&] {
    const auto report = fleet::read_fleet_report(file);
    if (wanted.cap.share > 1) throw UsageError("--most-share: give a share such as 0.05, and at most 1");
    const fleet::Server server = server_of(given);
    signal(SIGPIPE, SIG_IGN);
    fleet::Stop stop;
    const bool is_done = fleet::act(server, report, wanted, stop, [](const std::string& sentence) {
      fmt::print("{}\n", muster::results::shortened(sentence, 400));
    });
    return is_done && std::fflush(stdout) == 0 ? 0 : exit_code(muster::results::Status::unknown);
  });
}

int labels_command(int argc, char** argv) {
  std::filesystem::path root = "/";
  std::string prefix = "hyperv";
  CommandLine line(
      "Prints, as JSON, the labels and annotations that tell a node of Kubernetes where it is: its values of "
      "Hyper-V, its InfiniBand partition, the GUIDs of its adapters",
      "muster fleet labels");
  line.add("--root", root, "A captured tree in the place of this machine");
  line.add("--prefix", prefix, "Prefix of the values of Hyper-V");
  return line.run(argc, argv, [&] {
    require_prefix(prefix);
    fmt::print("{}\n", to_json(node_labels(muster::topology::Sysfs(root), prefix)));
    return std::fflush(stdout) == 0 ? 0 : exit_code(muster::results::Status::unknown);
  });
}

constexpr std::array commands{
    Command{"act", "Mark the nodes that failed, and unmark those that pass again", act_command},
    Command{"collect", "Make one report of those of all nodes", fleet::collect_command},
    Command{"label", "Give a node of Kubernetes its labels", label_command},
    Command{"labels", "Print the labels of this node", labels_command},
    Command{"summary", "Show the report of a fleet", fleet::summary_command},
    Command{"verdict", "Wait for a job in Kubernetes and exit by its verdict", verdict_command},
    Command{"withdraw", "End a job of Volcano that does not start", withdraw_command},
};

}  // namespace

int main(int argc, char** argv) {
  constexpr Group group{"fleet", "Jobs of muster over many nodes",
                        "0 pass or warn, 1 fail or withdrawn, 2 usage, 3 unknown"};
  try {
    return run_group(group, commands, argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "muster: {}\n", error.what());
    return 2;
  }
}
