// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/parts/log/catalogue.hpp"
#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {

// What the kernel says of one fault, and what must be said of it.
struct Said {
  std::string line;
  std::string fault;
  results::Labels labels;
};

inline void PrintTo(const Said& said, std::ostream* out) { *out << said.line; }

inline nlohmann::json messages() {
  return nlohmann::json::parse(std::ifstream(source_folder() / "tests/healthcheck/checks/log/messages.json"));
}

inline std::vector<Said> said_of_faults() {
  std::vector<Said> all;
  const auto document = messages();
  for (const auto& each : document.at("faults"))
    all.push_back({each.at("line"), each.at("fault"), each.at("labels").get<results::Labels>()});
  return all;
}

inline std::vector<std::string> harmless() { return messages().at("harmless"); }

inline healthcheck::Catalogue catalogue() {
  return healthcheck::Catalogue(healthcheck::read_kernel_faults(source_folder() / "healthcheck/kernel_messages.json"));
}

inline healthcheck::Faults faults() { return healthcheck::Faults(source_folder() / "healthcheck/faults.json"); }

// A record of the ring, so many seconds after boot.
inline std::string record(std::size_t sequence, double seconds, const std::string& text) {
  return "4," + std::to_string(sequence) + "," + std::to_string(static_cast<long>(seconds * 1e6)) + ",-;" + text + "\n";
}

// A healthy node with two GPUs, an adapter and a log, to be told of one more thing.
class KernelLogMachine : public testing::Test {
 protected:
  KernelLogMachine() {
    add_device("0001:00:00.0", "0x10de", "0x030200");
    add_device("0002:00:00.0", "0x10de", "0x030200");
    add_device("0104:00:00.0", "0x15b3", "0x020700");
    tree_.write("sys/bus/pci/devices/0104:00:00.0/infiniband/mlx5_ib3/node_type", "1: CA\n");
    tree_.write("proc/uptime", "90000.00 9000.00\n");
    for (const auto& line : harmless()) add(line);
  }

  void add_device(const std::string& address, const std::string& vendor, const std::string& kind) const {
    const auto folder = "sys/bus/pci/devices/" + address;
    tree_.write(folder + "/vendor", vendor + "\n");
    tree_.write(folder + "/device", "0x2330\n");
    tree_.write(folder + "/class", kind + "\n");
  }
  void add(const std::string& text, double after = 1) {
    seconds_ += after;
    log_ += record(sequence_++, seconds_, text) + " SUBSYSTEM=pci\n DEVICE=+pci:0000:00:00.0\n";
  }
  results::CheckRun run(const std::vector<std::string>& options = {}) {
    tree_.write("dev/kmsg", log_);
    Given given{.tier = results::Tier::preflight};
    given.options = options;
    return checked(tree_.path(), "nd96isr_h100_v5", given);
  }

  TemporaryFolder tree_;
  std::string log_;
  std::size_t sequence_ = 0;
  double seconds_ = 0;
};

}  // namespace muster::tests
