// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/check/topology_file.hpp"
#include "healthcheck/cli/topology.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/streams.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/text_fields.hpp"
#include "topology/machine/completed.hpp"
#include "topology/machine/placement.hpp"
#include "topology/nccl/machine_json.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::healthcheck {
namespace {

using topology::RankPlacement;

constexpr const char* told = "told";

// Launchers tell each process its rank on the node by one of these.
constexpr std::array rank_variables{"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", "LOCAL_RANK"};

std::optional<std::size_t> rank_in(const char* text) {
  const long number = text == nullptr ? -1 : topology::whole_number(text).value_or(-1);
  return number < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(number));
}

// The rank that was given, or that the launcher told.
std::size_t own_rank(const std::string& given) {
  if (given != told) {
    if (const auto rank = rank_in(given.c_str())) return *rank;
    throw UsageError(fmt::format("--rank {} is not a rank: give a number, or '{}'", given, told));
  }
  for (const char* variable : rank_variables)
    if (const auto rank = rank_in(std::getenv(variable))) return *rank;
  throw UsageError("no launcher told this process its rank; give --rank N");
}

std::string table(const std::vector<RankPlacement>& seats, const topology::DeviceNames& names) {
  std::string text = fmt::format("{:<6}{:<5}{:<14}{:<26}{:<6}{}\n", "RANK", "GPU", "PCI", "NIC", "NUMA", "CPUS");
  for (const RankPlacement& seat : seats) {
    const std::string nic = fmt::format("{} {}", topology::name_of(names, seat.nic), seat.nic);
    text += fmt::format("{:<6}{:<5}{:<14}{:<26}{:<6}{}\n", seat.rank, seat.gpu < 0 ? "-" : std::to_string(seat.gpu),
                        seat.pci.empty() ? "-" : seat.pci, seat.nic.empty() ? "-" : topology::trimmed(nic),
                        seat.numa.value_or(-1), topology::to_text(seat.cpus));
  }
  return text;
}

// Whether the process that calls this one may run on the CPUs of its seat alone.
int verify(const RankPlacement& seat) {
  const auto status = topology::Sysfs().text("proc/self/status").value_or("");
  const auto allowed = topology::cpu_list(topology::value_of(status, "Cpus_allowed_list", ':').value_or(""));
  const bool bound = std::ranges::includes(seat.cpus, allowed);
  fmt::print("{}: rank {} is bound to CPUs {}; its seat{} is CPUs {}\n", bound ? "PASS" : "FAIL", seat.rank,
             topology::to_text(allowed), seat.pci.empty() ? "" : " beside GPU " + seat.pci,
             topology::to_text(seat.cpus));
  return bound ? 0 : 1;
}

const RankPlacement& seat_of(const std::vector<RankPlacement>& seats, std::size_t rank) {
  if (rank < seats.size()) return seats[rank];
  throw UsageError(fmt::format("there is no rank {} among {} ranks; give --ranks", rank, seats.size()));
}

}  // namespace

int place(int argc, char** argv) {
  std::optional<std::filesystem::path> file;
  std::filesystem::path root = "/";
  std::optional<std::size_t> ranks;
  std::vector<std::string> hosts{"localhost"};
  std::optional<std::string> rank;
  std::string format = "text";
  bool verified = false;
  CommandLine line("Says which GPU, NIC and CPUs each rank of a node gets", "muster topology place");
  line.add("--file", file, "Take the machine from this topology file");
  line.add_folder("--root", root, "A captured tree in the place of this machine");
  line.add_positive("--ranks", ranks, "Ranks on each node (default: one for each GPU, or NUMA node without GPUs)");
  line.add_list("--hosts", hosts, "Hosts of the rankfile, separated by commas (default: localhost)");
  line.add("--rank", rank, "The environment of this rank alone; 'told' by the launcher's variable");
  line.add_choice("--format", format, {"text", "json", "rankfile", "mpirun", "env"},
                  "text, json, rankfile (for Open MPI), mpirun (its options) or env (shell lines)");
  line.add("--verify", verified, "Say whether the calling rank is bound to its CPUs; exit 1 when it is not");
  line.examples({"muster topology place --ranks 8", "muster topology place --file ndv5-topo.xml --format mpirun"});
  return line.run(argc, argv, [&] {
    const topology::Discovery found = find_machine(topology::Sysfs(root));
    const topology::Machine machine =
        file ? completed(topology::of_topology_file(*file, topology::read_topology).machine, found) : usable(found);
    if (!has_seats(machine)) {
      tell(fmt::format("muster topology place: {} names no GPU and no CPUs, so there is nothing to place\n",
                       file ? file->string() : "the kernel"));
      return 1;
    }
    auto seats = placement(machine, ranks);
    if (verified) return verify(seat_of(seats, own_rank(rank.value_or(told))));
    if (rank) seats = {seat_of(seats, own_rank(*rank))};
    auto names = net_names(machine);
    names.insert(found.names.begin(), found.names.end());
    if (format == "text") fmt::print("{}", table(seats, names));
    if (format == "json") print_document(to_json(seats));
    if (format == "rankfile") print_document(rankfile(seats, hosts));
    if (format == "mpirun") print_document(mpirun_options(seats, machine) + "\n");
    if (format == "env") print_document(environment(seats, names));
    return 0;
  });
}

}  // namespace muster::healthcheck
