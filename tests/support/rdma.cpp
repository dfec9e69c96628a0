// SPDX-License-Identifier: Apache-2.0
#include "tests/support/rdma.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "healthcheck/check/check.hpp"
#include "tests/support/verbs_in_memory.hpp"

namespace muster::tests {

using results::Status;

namespace {

constexpr auto interface_counter = "sys/class/net/eth0/statistics/tx_bytes";
constexpr auto counters = "MUSTER_COUNTERS_OF_DEVICES";  // lines of a device and its counter

std::string all_counters() {
  const auto* all = std::getenv(counters);
  return all == nullptr ? "" : all;
}

}  // namespace

std::vector<std::string> few_samples(std::vector<std::string> options) {
  const auto decides = [](const std::string& option) {
    return option == "-n" || option == "-s" || option == "--bidirectional" || option == "-b";
  };
  if (healthcheck::make_check()->describe().name == "ib_bandwidth" && std::ranges::none_of(options, decides))
    options.insert(options.end(), {"-n", "6"});
  return options;
}

void write_machine(const TemporaryFolder& tree, const std::string& nic) {
  tree.write("proc/version", "Linux\n");
  tree.write("sys/class/infiniband/" + nic + "/parent", "eth0\n");
  tree.write("sys/class/infiniband/" + nic + "/ports/1/state", "4: ACTIVE\n");
  tree.write("sys/class/infiniband/" + nic + "/ports/1/link_layer", "Ethernet\n");
  tree.write(interface_counter, "1000\n");
}

void count_into(const std::string& device, const std::filesystem::path& file) {
  setenv(counters, (all_counters() + device + " " + file.string() + "\n").c_str(), 1);
}

void count_no_more() { unsetenv(counters); }

void count(std::string_view device) {
  std::istringstream lines(all_counters());
  std::string name;
  std::string file;
  while (lines >> name >> file) {
    if (name != device) continue;
    std::int64_t sent = 0;
    std::ifstream(file) >> sent;
    std::ostringstream next;
    next << temporary_place().string() << "/muster-counter-" << getpid() << '-' << std::this_thread::get_id();
    std::ofstream(next.str()) << sent + (std::int64_t{1} << 40) << "\n";
    std::filesystem::rename(next.str(), file);
  }
}

void RdmaInMemory::TearDown() {
  count_no_more();
  unsetenv("MUSTER_FAULT");
  unsetenv("MUSTER_FAULT_DEVICE");
}

void RdmaInMemory::break_verbs(const char* fault) { setenv("MUSTER_FAULT", fault, 1); }

results::CheckRun RdmaMachine::run(std::vector<std::string> options) const {
  return checked(tree_.path(), "generic", {.options = few_samples(std::move(options))});
}

RdmaMachines::RdmaMachines() {
  for (std::size_t host = 0; host < trees_.size(); ++host) {
    const auto device = "rxe" + std::to_string(host);
    write_machine(trees_[host], device);
    count_into(device, trees_[host].path() / interface_counter);
  }
  setenv("MUSTER_FAULT_DEVICE", "rxe1", 1);
}

results::CheckRun RdmaMachines::run(std::size_t hosts, Given given, std::string_view profile) const {
  if (profile == "generic") given.options = few_samples(std::move(given.options));
  return run_until_precise(hosts, given, profile);
}

results::CheckRun RdmaMachines::run_until_precise(std::size_t hosts, const Given& given,
                                                  std::string_view profile) const {
  std::vector<std::filesystem::path> roots;
  for (std::size_t host = 0; host < hosts; ++host) roots.push_back(trees_.at(host).path());
  return checked(roots, profile, given);
}

RdmaPorts::RdmaPorts(std::size_t ports) {
  for (std::size_t port = 0; port < ports; ++port) {
    const auto nic = "rxe" + std::to_string(port);
    write_machine(tree_, nic);
    count_into(nic, tree_.path() / interface_counter);
  }
  setenv("MUSTER_FAULT_DEVICE", "rxe1", 1);
}

results::CheckRun RdmaPorts::run(std::vector<std::string> options) const {
  options.emplace_back("--between-ports");
  return checked(tree_.path(), "generic", {.options = few_samples(std::move(options))});
}

RdmaRails::RdmaRails() {
  for (const auto& tree : trees_)
    for (const auto* nic : {"rxe0", "rxe2"}) {
      write_machine(tree, nic);
      count_into(nic, tree.path() / interface_counter);
    }
}

results::CheckRun RdmaRails::run(std::string_view profile, std::vector<std::string> options) const {
  options.insert(options.end(), {"--operation", "write"});
  if (profile == "generic") options = few_samples(std::move(options));
  return checked({trees_[0].path(), trees_[1].path()}, profile, {.options = std::move(options)});
}

std::vector<const results::Measurement*> of(const results::CheckRun& run, std::string_view metric) {
  std::vector<const results::Measurement*> found;
  for (const auto& fact : run.measurements)
    if (fact.metric == metric) found.push_back(&fact);
  return found;
}

std::string profile_of_rates(const TemporaryFolder& folder, const std::vector<std::string>& bounds) {
  std::string expectations;
  for (const auto& bound : bounds)
    expectations += (expectations.empty() ? "" : ",") + (R"({ "check": "ib_bandwidth", )" + bound) +
                    R"(, "bound": "at_least", "unit": "bit/s", "tier": "quick", "fault": "ib_bandwidth_low",
                        "source": "this test", "date": "2026-11-22" })";
  folder.write(
      "rates.json",
      R"({"name": "rates", "extends": "generic", "description": "Of a test", "expectations": [)" + expectations + "]}");
  return (folder.path() / "rates.json").string();
}

std::set<std::vector<std::string>> measured(const results::CheckRun& run, const std::vector<std::string>& labels) {
  std::set<std::vector<std::string>> all;
  for (const auto& fact : run.measurements) {
    if (!fact.stopping) continue;
    std::vector<std::string> values;
    for (const auto& label : labels) values.push_back(fact.labels.at(label));
    all.insert(std::move(values));
  }
  return all;
}

std::set<std::string> accused(const results::CheckRun& run, const std::string& label) {
  std::set<std::string> found;
  for (const auto& verdict : run.verdicts)
    if (verdict.status != Status::pass && verdict.status != Status::skip) found.insert(verdict.labels.at(label));
  return found;
}

}  // namespace muster::tests
