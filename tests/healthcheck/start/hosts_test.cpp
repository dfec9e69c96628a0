// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/hosts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "healthcheck/program/error.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using Names = std::vector<std::string>;

// A machine with these files, and what a launcher there finds.
class FindHosts : public testing::Test {
 protected:
  FindHosts() { write("proc/sys/kernel/hostname", "ours-0\n"); }

  void write(const std::string& file, std::string_view text) const { tree_.write(file, text); }
  HostList find(const std::vector<const char*>& variables = {}, const HostRequest& request = {}) const {
    auto environment = variables;
    environment.push_back(nullptr);
    return find_hosts(request, topology::Sysfs(tree_.path()), environment.data());
  }
  HostList of_hostfile(std::string_view text) const {
    write("hostfile", text);
    return find({}, {.hosts = {}, .hostfile = tree_.path() / "hostfile"});
  }
  std::string refusal(const std::vector<const char*>& variables, const HostRequest& request = {}) const {
    try {
      find(variables, request);
      return {};
    } catch (const UsageError& error) {
      return error.what();
    }
  }

 private:
  tests::TemporaryFolder tree_;
};

TEST_F(FindHosts, WithoutAnythingIsThisMachineAlone) {
  const auto list = find();
  EXPECT_EQ(list.names, Names{});
  EXPECT_EQ(list.count(), 1U);
}

TEST_F(FindHosts, TakesEachNameOnceInItsOrder) {
  EXPECT_EQ(find({}, {.hosts = {"b", "a", "b"}, .hostfile = {}}).names, (Names{"b", "a"}));
}

TEST_F(FindHosts, TakesANameAsOftenAsItIsGivenForItsSlots) {
  EXPECT_EQ(find({}, {.hosts = {"b", "a", "b"}, .hostfile = {}}).slots, std::nullopt) << "which differ";
  EXPECT_EQ(find({}, {.hosts = {"b", "b"}, .hostfile = {}}).slots, 2U);
  EXPECT_EQ(of_hostfile("gpu-1\ngpu-2\ngpu-2\ngpu-1\n").slots, 2U);
  EXPECT_EQ(of_hostfile("gpu-1\ngpu-1\n").names, Names{"gpu-1"});
}

TEST_F(FindHosts, ReadsAHostfileWithSlotsAndComments) {
  const auto list = of_hostfile("# rack 3\ngpu-1 slots=8\n\n  gpu-2 slots=8 # new\ngpu-1 slots=8");
  EXPECT_EQ(list.names, (Names{"gpu-1", "gpu-2"}));
  EXPECT_EQ(list.slots, 8U);
  EXPECT_EQ(of_hostfile("gpu-1\ngpu-2").slots, std::nullopt);
}

TEST_F(FindHosts, RefusesHostfilesByLine) {
  for (const auto* text : {"gpu-1 slots=0", "gpu-1 slots=x", "gpu-1 max=3"})
    EXPECT_THROW(of_hostfile(text), UsageError) << text;
  EXPECT_THROW(of_hostfile("gpu-1 slots=8\ngpu-2 slots=4"), UsageError);
  EXPECT_THROW(of_hostfile("# nobody\n"), UsageError);
  EXPECT_NE(refusal({}, {.hosts = {}, .hostfile = "nowhere/hosts"}).find("--hostfile"), std::string::npos);
}

TEST_F(FindHosts, RefusesWhatSshWouldTakeForAnOption) {
  EXPECT_NE(refusal({}, {.hosts = {"-oProxyCommand=x"}, .hostfile = {}}).find("not a name of a host"),
            std::string::npos);
  EXPECT_NE(refusal({}, {.hosts = {"a;b"}, .hostfile = {}}).find("not a name of a host"), std::string::npos);
}

TEST_F(FindHosts, RefusesTwoSourcesOfTheCommandLine) {
  EXPECT_NE(refusal({}, {.hosts = {"a"}, .hostfile = "b"}).find("--hosts and --hostfile"), std::string::npos);
}

TEST_F(FindHosts, KeepsTheLastHostOfVolcanosFileWhichEndsInNoNewline) {
  write("etc/volcano/worker.host", "job-worker-0.job\njob-worker-1.job");
  EXPECT_EQ(find({"VC_WORKER_HOSTS=other"}).names, (Names{"job-worker-0.job", "job-worker-1.job"}));
}

TEST_F(FindHosts, ReadsVolcanosVariableOfTheTaskAskedFor) {
  const HostRequest request{.hosts = {}, .hostfile = {}, .task = "gpu-worker"};
  const auto list = find({"VC_WORKER_HOSTS=no", "VC_GPU_WORKER_HOSTS=w0.job,w1.job"}, request);
  EXPECT_EQ(list.names, (Names{"w0.job", "w1.job"}));
  EXPECT_EQ(list.source, "VC_GPU_WORKER_HOSTS");
}

TEST_F(FindHosts, CountsThePodsOfAnIndexedJob) {
  EXPECT_EQ(find({"JOB_COMPLETION_INDEX=0", "JOB_COMPLETIONS=3"}).names, (Names{"ours-0", "ours-1", "ours-2"}));
  write("etc/hosts", "127.0.0.1 localhost\n10.0.0.7\tours-0.svc.ns.svc.cluster.local\tours-0\n");
  EXPECT_EQ(find({"JOB_COMPLETION_INDEX=0", "JOB_COMPLETIONS=2"}).names.back(), "ours-1.svc.ns.svc.cluster.local");
}

TEST_F(FindHosts, RefusesAnIndexedJobOfUnknownSize) {
  EXPECT_NE(refusal({"JOB_COMPLETION_INDEX=0"}).find("JOB_COMPLETIONS"), std::string::npos);
  EXPECT_NE(refusal({"JOB_COMPLETION_INDEX=5", "JOB_COMPLETIONS=9"}).find("--hosts"), std::string::npos);
}

TEST_F(FindHosts, ReadsSlurmsList) {
  EXPECT_EQ(find({"SLURM_JOB_NODELIST=gpu[1-2]"}).names, (Names{"gpu1", "gpu2"}));
  EXPECT_EQ(find({"SLURM_NODELIST=gpu9"}).source, "SLURM_NODELIST");
}

TEST(Expanded, KeepsZerosAndCommasInsideOfBrackets) {
  EXPECT_EQ(expanded("gpu-[0009-0011,7],login"), (Names{"gpu-0009", "gpu-0010", "gpu-0011", "gpu-7", "login"}));
  EXPECT_EQ(expanded("r[1-2]n[1-2]x"), (Names{"r1n1x", "r1n2x", "r2n1x", "r2n2x"}));
}

TEST(Expanded, RefusesWhatIsNoList) {
  for (const auto* text : {"gpu[1-", "gpu[2-1]", "gpu[a-b]", "gpu[1-99999999]", "gpu[1-999][1-999]"})
    EXPECT_THROW(expanded(text), UsageError) << text;
}

}  // namespace
}  // namespace muster::healthcheck
