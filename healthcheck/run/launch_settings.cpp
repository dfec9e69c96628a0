// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/launch_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <net/if.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>

#include "benchmarks/ranks/launcher.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/run/job_network.hpp"
#include "healthcheck/run/report_inbox.hpp"
#include "healthcheck/run/seat.hpp"
#include "healthcheck/run/start_letter.hpp"
#include "results/values/verdict.hpp"
#include "topology/cpu/usable_cpus.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {
namespace {

constexpr auto interfaces_by_others = "OMPI_MCA_btl_tcp_if_include";

// What others have told Open MPI, of which it tells nobody; may be empty.
std::string told_by_others() {
  const char* told = std::getenv(interfaces_by_others);  // NOLINT(concurrency-mt-unsafe): no thread runs yet
  return told == nullptr ? "" : told;
}

std::string network_of_others() {
  const auto told = told_by_others();
  return told.empty() ? "interfaces of its own choice" : fmt::format("{} ({})", told, interfaces_by_others);
}

std::vector<std::string> addresses_of_others(std::span<const OwnAddress> own) {
  std::vector<std::string> names;
  std::istringstream list(told_by_others());
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return network_by_request(names, own).addresses;
}

JobNetwork network_of(const LaunchSettings& launched, const JobAddresses& job, std::span<const OwnAddress> own) {
  if (launched.leave_network) return {};
  if (launched.interfaces.empty()) return network_by_routes(job, own, source_towards);
  return network_by_request(launched.interfaces, own);
}

std::string why_no_interface(const std::vector<std::string>& wanted) {
  const auto is_there = [](const std::string& name) { return if_nametoindex(name.c_str()) != 0; };
  if (const auto found = std::ranges::find_if(wanted, is_there); found != wanted.end())
    return fmt::format(
        "{} has no address here by which other hosts know it (those of one link alone, fe80::, are none), and "
        "--interface asks for it",
        *found);
  return fmt::format("there is no interface {} here, which --interface asks for", fmt::join(wanted, " or "));
}

void send_to_inbox(const std::string& words, const std::optional<std::string>& inbox) try {
  if (inbox) send_report(words, *inbox);
} catch (const std::system_error&) {  // nobody hears
}

// By which the job knows this host.
std::vector<std::string> names_of_this_host(const JobAddresses& job, std::span<const OwnAddress> own) {
  std::vector<std::string> names;
  std::ranges::copy_if(job.hosts, std::back_inserter(names), [&](const auto& host) { return is_own(own, host); });
  return names;
}

}  // namespace

void add_options(CommandLine& line, LaunchSettings& job) {
  line.add("--hosts-at", job.hosts_at, "Where muster launch found the hosts: the port of ssh, and an address of each");
  line.add_list("--interface", job.interfaces, "What muster launch was told of MPI's interfaces");
  line.add("--leave-network", job.leave_network, "Let MPI choose its interfaces, as others have told it");
  line.add("--seats", job.seats, "CPUs that muster launch asked mpirun for, of each rank of a host");
}

std::unique_ptr<StartWatch> watched_start(const std::string& check, const LaunchSettings& launched,
                                          const std::optional<std::string>& inbox, Signals* told_to_stop,
                                          SingleCheckOptions& options) {
  if (const auto& rank = options.launcher.rank; rank && !launched.seats.empty())
    options.misplaced = misplacement(launched.seats, rank->value, topology::usable_cpus(topology::Sysfs("/")).allowed);
  if (launched.hosts_at.empty()) return nullptr;
  const auto host = topology::Sysfs("/").text("proc/sys/kernel/hostname").value_or("this host");
  const auto give_up = [check, host, inbox](const std::string& words) {
    const auto line = fmt::format("{}: {}: {}\n", executable_name(check), host, words);
    tell(line);
    send_to_inbox(line, inbox);  // mpirun drops what a rank prints that it has told to end
    _exit(results::exit_code(results::Status::unknown));
  };
  const auto job = read_job_addresses(launched.hosts_at);
  const auto own = own_addresses();
  const auto network = network_of(launched, job, own);
  if (network.interfaces.empty() && !launched.interfaces.empty()) give_up(why_no_interface(launched.interfaces));
  tell_open_mpi(network);
  if (const auto rank = benchmarks::told_local_rank(environ); rank && rank->value != 0) return nullptr;
  auto watch = std::make_unique<StartWatch>(
      StartWatch::Job{.network = network.interfaces.empty() ? network_of_others() : network.used,
                      .port = job.port,
                      .hosts = job.hosts.size(),
                      .next = launched.interfaces.empty() ? next_host(job, own) : std::nullopt,
                      .still_waits = [letter = letter_of_waiting({.addresses = names_of_this_host(job, own),
                                                                  .told = addresses_of_others(own)}),
                                      inbox] { send_to_inbox(letter, inbox); }},
      told_to_stop, give_up);
  options.network = network.words;
  if (network.addresses.size() == 1) options.address = network.addresses.front();
  options.started = [started = watch.get()] { started->end(); };
  return watch;
}

}  // namespace muster::healthcheck
