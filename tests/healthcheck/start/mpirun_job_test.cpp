// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/mpirun_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "healthcheck/start/slurm_job.hpp"
#include "results/system/file.hpp"
#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::healthcheck {
namespace {

using Words = std::vector<std::string>;

// What follows an option; empty where it is not there.
std::string after(const Words& words, std::string_view option) {
  const auto at = std::ranges::find(words, option);
  return at == words.end() ? std::string() : *(at + 1);
}

topology::Machine machine(const std::string& name) {
  const auto file = tests::source_folder() / "topology" / name;
  return topology::of_topology_file(file, topology::read_topology).machine;
}

MpirunJob on_two_hosts() { return {.hosts = {.names = {"h1.job", "h2.job"}, .source = {}}, .ranks_on_each = 8}; }

TEST(MpirunJob, WithoutHostsNeedsNoSsh) {
  const tests::TemporaryFolder folder;
  const auto words = mpirun({.hosts = {}, .ranks_on_each = 3}, folder.path());
  EXPECT_EQ(after(words, "-np"), "3");
  EXPECT_EQ(after(words, "--bind-to"), "none");
  EXPECT_EQ(after(words, "--hostfile"), "");
}

TEST(MpirunJob, PutsAsManyRanksOnEachHostByItsWholeName) {
  const tests::TemporaryFolder folder;
  const auto words = mpirun(on_two_hosts(), folder.path());
  EXPECT_EQ(after(words, "-np"), "16");
  EXPECT_EQ(after(words, "--map-by"), "ppr:8:node");
  EXPECT_EQ(after(words, "orte_keep_fqdn_hostnames"), "1");
  EXPECT_EQ(after(words, "prte_keep_fqdn_hostnames"), "1");
  EXPECT_NE(std::ranges::find(words, "PMIX_MCA_pmix_keep_fqdn_hostnames=1"), words.end());
  EXPECT_EQ(results::read_text(after(words, "--hostfile")), "h1.job slots=8\nh2.job slots=8\n");
}

TEST(MpirunJob, GivesBothVersionsTheNetworkOfControl) {
  auto job = on_two_hosts();
  const auto told = [&](std::string_view setting) {
    const tests::TemporaryFolder folder;
    return after(mpirun(job, folder.path()), setting);
  };
  EXPECT_EQ(told("oob_tcp_if_include"), "");
  job.control = "192.0.2.9/24";
  for (const auto* setting : {"oob_tcp_if_include", "prte_if_include"}) EXPECT_EQ(told(setting), "192.0.2.9/24");
  job.interface = "eth0";
  EXPECT_EQ(told("oob_tcp_if_include"), "eth0");
}

TEST(MpirunJob, ReachesAHostAsMpirunDoes) {
  auto job = on_two_hosts();
  job.port = 2222;
  job.hosts.users["h2.job"] = "ann";
  const auto words = on_host(job, "h2.job", "true && true");
  ASSERT_EQ(words.size(), 6U);
  EXPECT_NE(words[2].find(" -p 2222"), std::string::npos);
  EXPECT_EQ(words[4], "ann@h2.job");
  EXPECT_EQ(words[5], "true && true");
}

TEST(MpirunJob, HearsTheDaemonsOfAllHostsAtOnce) {
  auto job = on_two_hosts();
  for (const auto* wanted : {"128", "200"}) {
    const tests::TemporaryFolder folder;
    const auto words = mpirun(job, folder.path());
    EXPECT_EQ(after(words, "orte_leave_session_attached"), "1");
    EXPECT_EQ(after(words, "plm_rsh_num_concurrent"), wanted);
    job.hosts.names.resize(200, "h");
  }
}

TEST(MpirunJob, InSlurmTakesTheNodesFromItAndNeedsNoSsh) {
  const tests::TemporaryFolder folder;
  auto job = on_two_hosts();
  const Words environment{"SLURM_JOB_ID=7",           "SLURM_JOB_NODELIST=h[1-2].job", "SLURM_TASKS_PER_NODE=96(x2)",
                          "SLURM_NTASKS_PER_NODE=96", "SLURM_GPUS_PER_NODE=8",         "SLURM_PROCID=0"};
  std::vector<const char*> variables;
  for (const auto& each : environment) variables.push_back(each.c_str());
  variables.push_back(nullptr);
  job.slurm = variables_of_slurm(2, 8, variables.data());
  const auto words = mpirun(job, folder.path());
  EXPECT_TRUE(words.front().ends_with("/env"));
  for (const auto* word : {"SLURM_JOBID=7", "SLURM_JOB_ID=7", "SLURM_NODELIST=h[1-2].job", "SLURM_NNODES=2",
                           "SLURM_TASKS_PER_NODE=8(x2)", "SLURM_GPUS_PER_NODE=8"})
    EXPECT_NE(std::ranges::find(words, word), words.end()) << word;
  for (const auto* word : {"SLURM_PROCID=0", "SLURM_NTASKS_PER_NODE=96", "SLURM_OVERLAP=1"})
    EXPECT_EQ(std::ranges::find(words, word), words.end()) << word;
  EXPECT_EQ(after(words, "--hostfile"), "");
  EXPECT_EQ(after(words, "plm_rsh_agent"), "");
  EXPECT_EQ(after(words, "orte_leave_session_attached"), "1");
  EXPECT_EQ(after(words, "--map-by"), "ppr:8:node");
}

TEST(MpirunJob, InAStepOfSlurmSharesItsResources) {
  const std::vector<const char*> step{"SLURM_JOB_ID=7", "SLURM_NODELIST=h1", "SLURM_STEP_ID=0", nullptr};
  EXPECT_EQ(variables_of_slurm(1, 2, step.data()).back(), "SLURM_OVERLAP=1");
  const std::vector<const char*> nothing{"PATH=/bin", nullptr};
  EXPECT_EQ(variables_of_slurm(1, 2, nothing.data()), Words{});
}

TEST(MpirunJob, GivesAHostsUserToMpirunAlone) {
  const tests::TemporaryFolder folder;
  auto job = on_two_hosts();
  job.hosts.users = {{"h2.job", "ann"}};
  EXPECT_EQ(results::read_text(after(mpirun(job, folder.path()), "--hostfile")),
            "h1.job slots=8\nann@h2.job slots=8\n");
}

// The script that stands for ssh.
std::string agent_of(const MpirunJob& job, const std::filesystem::path& folder) {
  const auto words = after(mpirun(job, folder), "plm_rsh_agent");
  EXPECT_TRUE(words.starts_with("sh ")) << words;
  return results::read_text(words.substr(3));
}

TEST(MpirunJob, NamesTheHostWhoseSshFails) {
  const tests::TemporaryFolder folder;
  const auto agent = agent_of(on_two_hosts(), folder.path());
  EXPECT_NE(agent.find(std::string(start_of_failed_ssh) + "$1 ended with $code"), std::string::npos) << agent;
}

TEST(MpirunJob, StartsSshItselfFromAFolderWhoseNameMpirunWouldTakeApart) {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "a b");
  EXPECT_NE(after(mpirun(on_two_hosts(), folder.path() / "a b"), "plm_rsh_agent").find("BatchMode"), std::string::npos);
}

TEST(MpirunJob, TrustsHostsThatHaveTheKeyOfTheJob) {
  const tests::TemporaryFolder of_the_user;
  const tests::TemporaryFolder folder;
  auto job = on_two_hosts();
  EXPECT_EQ(agent_of(job, of_the_user.path()).find("StrictHostKeyChecking"), std::string::npos);
  job.key = "/private/key";
  job.known_hosts = "/private/known_hosts";
  job.port = 2222;
  const auto agent = agent_of(job, folder.path());
  for (const auto* words : {"-p 2222", "-i /private/key", "StrictHostKeyChecking=yes",
                            "UserKnownHostsFile=/private/known_hosts", "BatchMode=yes"})
    EXPECT_NE(agent.find(words), std::string::npos) << agent;
}

TEST(MpirunJob, BindsRanksWhereTheirGpusAre) {
  const tests::TemporaryFolder folder;
  auto job = on_two_hosts();
  job.machine = machine("ndv5-topo.xml");
  const auto words = mpirun(job, folder.path());
  EXPECT_EQ(after(words, "--map-by"), "ppr:4:numa:PE=12");
  EXPECT_EQ(after(words, "--bind-to"), "core");
  EXPECT_EQ(after(words, "-np"), "16");
  EXPECT_EQ(std::ranges::count(words, "-np"), 1) << "Open MPI 4 takes the last, and 5 the first";
}

TEST(MpirunJob, PutsHalfOfEachHostsGpusWhereTheyAre) {
  const tests::TemporaryFolder folder;
  auto job = on_two_hosts();
  job.ranks_on_each = 4;
  job.machine = machine("ndv5-topo.xml");
  const auto text = results::read_text(after(mpirun(job, folder.path()), "--rankfile"));
  EXPECT_NE(text.find("rank 4=h2.job slot=0-11\n"), std::string::npos) << text;
}

TEST(MpirunJob, BindsByARankfileWhereGpusDoNotFollowNumaNodes) {
  const tests::TemporaryFolder folder;
  auto job = on_two_hosts();
  job.machine = machine("ndv4-topo.xml");
  const auto words = mpirun(job, folder.path());
  const auto text = results::read_text(after(words, "--rankfile"));
  EXPECT_NE(text.find("rank 8=h2.job slot="), std::string::npos) << text;
  EXPECT_EQ(after(words, "--bind-to"), "core") << "else Open MPI 5 leaves oversubscribed ranks unbound";
}

TEST(MpirunJob, RefusesMoreRanksThanGpus) {
  const tests::TemporaryFolder folder;
  auto job = on_two_hosts();
  job.ranks_on_each = 9;
  job.machine = machine("ndv5-topo.xml");
  EXPECT_THROW(mpirun(job, folder.path()), topology::Error);
}

TEST(MpirunJob, KeepsItsTrafficToAnInterface) {
  const tests::TemporaryFolder folder;
  auto job = on_two_hosts();
  job.interface = "eth0";
  const auto words = mpirun(job, folder.path());
  EXPECT_EQ(after(words, "btl_tcp_if_include"), "eth0");
  EXPECT_EQ(after(words, "oob_tcp_if_include"), "eth0");
}

TEST(VariablesOfRanks, AreSettingsOfLibrariesAndNoSecrets) {
  const std::vector<const char*> environment{
      "NCCL_DEBUG=INFO",        "NCCL_IB_DISABLE=0", "UCX_TLS=rc",   "HOME=/root",
      "OMPI_COMM_WORLD_SIZE=2", "SLURM_NTASKS=2",    "NCCL_TOKEN=x", nullptr};
  EXPECT_EQ(variables_of_ranks(environment.data()), (Words{"NCCL_DEBUG", "NCCL_IB_DISABLE", "UCX_TLS"}));
}

}  // namespace
}  // namespace muster::healthcheck
