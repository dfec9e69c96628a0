// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/start.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

namespace muster::healthcheck {
namespace {

// What a command prints.
std::string output_of(const std::vector<std::string>& command) {
  const Started started = start(command);
  EXPECT_EQ(started.reason, "");
  fcntl(started.output.number(), F_SETFL, 0);
  std::string output;
  std::array<char, 4096> part{};
  for (ssize_t size = 0; (size = read(started.output.number(), part.data(), part.size())) > 0;)
    output.append(part.data(), static_cast<std::size_t>(size));
  waitpid(started.pid, nullptr, 0);
  return output;
}

std::string cpus_of_a_child() { return output_of({"/bin/grep", "Cpus_allowed_list", "/proc/self/status"}); }

// A process that mpirun may have started, bound to the first of the CPUs that it had, or not bound.
class StartInAJob : public testing::Test {
 protected:
  void SetUp() override {
    sched_getaffinity(0, sizeof all_, &all_);
    unsetenv("OMPI_COMM_WORLD_RANK");
  }
  void TearDown() override {
    unsetenv("OMPI_COMM_WORLD_RANK");
    sched_setaffinity(0, sizeof all_, &all_);
  }

  // The CPU's number.
  std::size_t bind_to_one() const {
    std::size_t first = 0;
    while (!CPU_ISSET(first, &all_)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
    return first;
  }

 private:
  cpu_set_t all_{};
};

TEST_F(StartInAJob, ACheckIsNotBoundToTheCpusOfARank) {
  const std::string all = cpus_of_a_child();
  bind_to_one();
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  EXPECT_EQ(cpus_of_a_child(), all);
}

TEST_F(StartInAJob, ACheckStaysOnTheCpusThatAUserChose) {
  const std::size_t cpu = bind_to_one();
  EXPECT_EQ(cpus_of_a_child(), "Cpus_allowed_list:\t" + std::to_string(cpu) + "\n");
}

TEST_F(StartInAJob, ACheckHasNoVariablesOfTheLauncher) {
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  EXPECT_EQ(output_of({"/bin/sh", "-c", "echo ${OMPI_COMM_WORLD_RANK:-none}"}), "none\n");
}

}  // namespace
}  // namespace muster::healthcheck
