// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/hosts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "healthcheck/program/error.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using Names = std::vector<std::string>;
using Users = std::map<std::string, std::string>;

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
  std::string path(const std::string& file) const { return (tree_.path() / file).string(); }
  std::string refusal_of_hostfile(std::string_view text) const {
    write("hostfile", text);
    return refusal({}, {.hosts = {}, .hostfile = path("hostfile")});
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
  EXPECT_EQ(find({}, {.hosts = {"b", "a", "b", "a"}, .hostfile = {}}).names, (Names{"b", "a"}));
}

TEST_F(FindHosts, TakesANameAsOftenAsItIsGivenForItsSlots) {
  EXPECT_EQ(find({}, {.hosts = {"b", "a"}, .hostfile = {}}).slots, std::nullopt);
  EXPECT_EQ(find({}, {.hosts = {"b", "b"}, .hostfile = {}}).slots, 2U);
  EXPECT_EQ(find({}, {.hosts = {"GPU-1", "gpu-1"}, .hostfile = {}}).names, Names{"GPU-1"}) << "one machine";
  EXPECT_EQ(of_hostfile("gpu-1\ngpu-2\ngpu-2\ngpu-1\n").slots, 2U);
  EXPECT_EQ(of_hostfile("gpu-1\ngpu-1\n").names, Names{"gpu-1"});
}

TEST_F(FindHosts, ReadsAHostfileWithSlotsAndComments) {
  const auto list = of_hostfile("# rack 3\r\ngpu-1\tslots=8\r\n\n  gpu-2 slots=8 # new\n// rack 4\ngpu-3");
  EXPECT_EQ(list.names, (Names{"gpu-1", "gpu-2", "gpu-3"})) << "the last of which has as many";
  EXPECT_EQ(list.slots, 8U);
  EXPECT_EQ(of_hostfile("gpu-1\ngpu-2").slots, std::nullopt);
}

TEST_F(FindHosts, ReadsWhatMpirunTakesInAHostfile) {
  for (const auto* text : {"a slots = 8\nb slots =8", "a slots= 8\nb cpu=8", "a count=8\nb slots=8 max_slots=8",
                           "a max-slots=8\nb slots_max=8", "a slots=8 cpu-max=16\nb max_count = 16 slots=8",
                           "node/a slots=8\nnode/b slots=8"}) {
    const auto list = of_hostfile(text);
    EXPECT_EQ(list.names, (Names{"a", "b"})) << text;
    EXPECT_EQ(list.slots, 8U) << text;
  }
  EXPECT_EQ(of_hostfile("a slots=2\na\nb slots=3").slots, 3U) << "a line without a number is one slot more";
}

TEST_F(FindHosts, ReadsTheNumberOfRanksBehindAColon) {
  const auto list = of_hostfile("pi-worker-0.pi.team.svc:8\npi-worker-1.pi.team.svc:8\n");
  EXPECT_EQ(list.names, (Names{"pi-worker-0.pi.team.svc", "pi-worker-1.pi.team.svc"}));
  EXPECT_EQ(list.slots, 8U);
  EXPECT_EQ(find({}, {.hosts = {"node1:8", "node2:8"}, .hostfile = {}}).slots, 8U);
  EXPECT_EQ(find({}, {.hosts = {"node1:4", "node1:4", "node2:8"}, .hostfile = {}}).slots, 8U);
  EXPECT_EQ(find({}, {.hosts = {"gpu-[1-2", "4]:8"}, .hostfile = {}}).names, (Names{"gpu-1", "gpu-2", "gpu-4"}));
  EXPECT_EQ(find({}, {.hosts = {"10.0.0.[1-2]:8"}, .hostfile = {}}).names, (Names{"10.0.0.1", "10.0.0.2"}));
}

TEST_F(FindHosts, TakesAnAddressOfIpv6AsAName) {
  for (const auto* address : {"fd77::1", "fd77::1:8", "::ffff:10.0.0.1", "1:2:3:4:5:6:7:8"}) {
    const auto list = find({}, {.hosts = {address, "b"}, .hostfile = {}});
    EXPECT_EQ(list.names, (Names{address, "b"}));
    EXPECT_EQ(list.slots, std::nullopt) << address;
  }
  EXPECT_EQ(of_hostfile("fd77::1 slots=8\nfd77::2 slots=8").slots, 8U);
}

TEST_F(FindHosts, RefusesAddressesOfOneLink) {
  for (const auto* address : {"fe80::1", "fe80::1%eth0", "febf::a4:c9ff:febf:989d%ib0"})
    EXPECT_NE(refusal({}, {.hosts = {address, "b"}, .hostfile = {}}).find("is an IPv6 address of one link alone"),
              std::string::npos)
        << address;
}

TEST_F(FindHosts, RefusesWhatFollowsAColonAndIsNotANumber) {
  for (const auto* host : {"node1:", "node1:0", "node1:eth0", "node1:*", "node1:-1", ":8", "node1:8:8",
                           "1:2:3:4:5:6:7:8:8", "fd77::1::2", "node1:99999999999999999999"})
    EXPECT_NE(refusal({}, {.hosts = {host, "b"}, .hostfile = {}}).find(host), std::string::npos) << host;
}

TEST_F(FindHosts, RefusesHostfilesByLine) {
  for (const auto* line : {"gpu-1 slots=0",
                           "gpu-1 slots=x",
                           "gpu-1 slots=",
                           "gpu-1 slots",
                           "gpu-1 max=3",
                           "gpu-1 = 3",
                           "gpu-1 gpu-2",
                           "gpu-1 slots=8 max_slots=4",
                           "gpu-1 slots=8 slots=8",
                           "gpu-1:8 slots=8",
                           "gpu-1 slots=2,max_slots=4",
                           "gpu-1 SLOTS=2",
                           "gpu-1 port=2222",
                           "+n0",
                           "^gpu-1",
                           "rank 0=gpu-1 slot=0",
                           "pod/gpu-1",
                           "gpu-[1-2 slots=8",
                           "a@b@gpu-1",
                           "@gpu-1",
                           "gpu-1 username=-x",
                           "a@gpu-1 username=b",
                           "b@good"}) {
    const auto text = fmt::format("a@good slots=8\n# a rack\n{}\n", line);
    EXPECT_NE(refusal_of_hostfile(text).find("hostfile, line 3: "), std::string::npos)
        << line << refusal_of_hostfile(text);
  }
  EXPECT_NE(refusal_of_hostfile("# nobody\n").find("names no host"), std::string::npos);
  EXPECT_NE(refusal({}, {.hosts = {}, .hostfile = "nowhere/hosts"}).find("--hostfile"), std::string::npos);
}

TEST_F(FindHosts, RefusesUnequalNumbersOfRanks) {
  for (const auto* text :
       {"a slots=8\nb slots=4", "a:8\nb:4", "a\na\nb\n", "a slots=8\nb\nb", "a max_slots=8\nb slots=4"})
    EXPECT_NE(refusal_of_hostfile(text).find(", line "), std::string::npos) << text;
  EXPECT_NE(refusal_of_hostfile("a slots=8\nb slots=4").find("line 2: b has 4 slots where others have 8"),
            std::string::npos);
  EXPECT_NE(refusal({}, {.hosts = {"b", "a", "b"}, .hostfile = {}}).find("--hosts: "), std::string::npos);
  EXPECT_NE(refusal_of_hostfile("a slots=8\na slots=8").find("line 2"), std::string::npos) << "as mpirun refuses it";
}

TEST_F(FindHosts, LooksAtNoSlotsThatNobodyWants) {
  const auto names_of = [&](const std::vector<std::string>& hosts) {
    const auto list = find({}, {.hosts = hosts, .hostfile = {}, .wants_slots = false});
    EXPECT_EQ(list.slots, std::nullopt);
    return list.names;
  };
  EXPECT_EQ(names_of({"a:8", "b:4"}), (Names{"a", "b"}));
  EXPECT_EQ(names_of({"b", "a", "b"}), (Names{"b", "a"}));
}

TEST_F(FindHosts, KeepsTheUserOfAHost) {
  const auto list = of_hostfile("ann@a slots=4\nb username=bob slots=4\nc user-name = carl\nd\n");
  EXPECT_EQ(list.names, (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(list.slots, 4U);
  EXPECT_EQ(list.users, (Users{{"a", "ann"}, {"b", "bob"}, {"c", "carl"}}));
  EXPECT_EQ(find({}, {.hosts = {"ann@10.0.0.[1-2]:8"}, .hostfile = {}}).users,
            (Users{{"10.0.0.1", "ann"}, {"10.0.0.2", "ann"}}));
  EXPECT_NE(refusal_of_hostfile("ann@a\nbob@A\n").find("line 2: A is named with two users"), std::string::npos);
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

}  // namespace
}  // namespace muster::healthcheck
