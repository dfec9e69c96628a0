// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {

const std::string ndv5_profile = "nd96isr_h100_v5";
const results::Labels gpu3 = {{"gpu", "3"}, {"pci", "0008:00:00.0"}};

// Eight healthy GPUs, as the kernel of tests/machines/ndv5 has them, of which GPU 3 is to be broken: see
// cuda_in_memory.hpp.
class EightGpus : public testing::Test {
 protected:
  EightGpus() {
    copy_machine("ndv5", tree_);
    setenv("MUSTER_NVML_GPUS", (tree_.path() / "nvml").c_str(), 1);
    setenv("MUSTER_FAULT_DEVICE", "0008:00:00.0", 1);
    unsetenv("CUDA_VISIBLE_DEVICES");
    tree_.write("nvml/nvml.json", R"({"nvmlInitWithFlags": 0})");
    say_of_all();
  }

  // What NVML says of all GPUs, or of GPU 3, from now on.
  void say_of_all() {
    for (const auto* domain : {"0001", "0002", "0003", "0008", "0009", "000a", "000b", "000c"})
      tree_.write("nvml/" + std::string(domain) + ":00:00.0.json", gpu_.dump());
  }
  void say_of_gpu3() { tree_.write("nvml/0008:00:00.0.json", gpu_.dump()); }

  results::CheckRun run(std::string_view fault, std::string_view profile = ndv5_profile, Given given = {}) {
    setenv("MUSTER_FAULT", std::string(fault).c_str(), 1);
    given.options.insert(given.options.end(), options_.begin(), options_.end());
    if (is_short_) given.deadline = std::chrono::steady_clock::now();
    return checked(tree_.path(), profile, given);
  }
  // Of GPU 3.
  void expect(std::string_view fault, results::Status status, std::string_view code, results::Labels labels = {}) {
    labels.insert(gpu3.begin(), gpu3.end());
    expect_fault(run(fault), status, code, labels);
  }

  static std::string text(const results::CheckRun& run, std::string_view metric, const results::Labels& labels = gpu3) {
    for (const auto& fact : run.measurements)
      if (fact.metric == metric && std::ranges::includes(fact.labels, labels)) return results::to_text(fact.value);
    return "";
  }

  std::vector<std::string> options_;  // of every run
  bool is_short_ = false;             // as much as is measured when there is no time
  TemporaryFolder tree_;
  nlohmann::json gpu_ = nlohmann::json::parse(std::ifstream(source_folder() / "tests/support/nvml_h100.json"));
};

}  // namespace muster::tests
