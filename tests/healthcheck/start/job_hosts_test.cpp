// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "healthcheck/program/error.hpp"
#include "healthcheck/start/hosts.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using Names = std::vector<std::string>;

// What is found in the environment of a launcher's job.
class FindHostsOfJob : public testing::Test {
 protected:
  FindHostsOfJob() { tree_.write("proc/sys/kernel/hostname", "ours-0\n"); }

  std::string file(const std::string& name, std::string_view text) const {
    tree_.write(name, text);
    return (tree_.path() / name).string();
  }
  HostList find(const std::vector<std::string>& variables, const HostRequest& request = {}) const {
    std::vector<const char*> environment;
    for (const auto& each : variables) environment.push_back(each.c_str());
    environment.push_back(nullptr);
    return find_hosts(request, topology::Sysfs(tree_.path()), environment.data());
  }
  std::string refusal(const std::vector<std::string>& variables) const {
    try {
      return fmt::format("found {} hosts of {}", find(variables).count(), find(variables).source);
    } catch (const UsageError& error) {
      return error.what();
    }
  }
  void expect(const std::vector<std::string>& variables, const Names& names, std::optional<std::size_t> slots) const {
    const auto list = find(variables);
    EXPECT_EQ(list.names, names) << list.source;
    EXPECT_EQ(list.slots, slots) << list.source;
  }
  void expect_refusal(const std::vector<std::string>& variables, std::string_view words) const {
    EXPECT_NE(refusal(variables).find(words), std::string::npos) << refusal(variables);
    EXPECT_NE(refusal(variables).find("give --host"), std::string::npos) << refusal(variables);
  }

 private:
  tests::TemporaryFolder tree_;
};

TEST_F(FindHostsOfJob, IsThatOfPbsWithANameForEachSlot) {
  const auto nodes = file("nodes", "gpu-1\ngpu-1\ngpu-2\ngpu-2\n");
  expect({"PBS_JOBID=7", "PBS_NODEFILE=" + nodes}, {"gpu-1", "gpu-2"}, 2U);
  expect({"COBALT_JOBID=7", "COBALT_NODEFILE=" + nodes}, {"gpu-1", "gpu-2"}, 2U);
  expect({"OAR_NODEFILE=" + nodes}, {"gpu-1", "gpu-2"}, 2U);
  expect({"PBS_NODEFILE=" + file("each", "gpu-1\ngpu-2\n")}, {"gpu-1", "gpu-2"}, std::nullopt);
  EXPECT_EQ(find({"PBS_NODEFILE=" + nodes}).source, "PBS_NODEFILE " + nodes);
  EXPECT_NE(refusal({"PBS_NODEFILE=" + file("odd", "a\na\nb\n")}).find("odd, line 3: b has 1 slot where"),
            std::string::npos);
}

TEST_F(FindHostsOfJob, IsThatOfLsf) {
  const auto nodes = file("nodes", "gpu-1\ngpu-1\ngpu-2\ngpu-2\n");
  expect({"LSB_JOBID=7", "LSB_DJOB_HOSTFILE=" + nodes, "LSB_HOSTS=other"}, {"gpu-1", "gpu-2"}, 2U);
  expect({"LSB_JOBID=7", "LSB_HOSTS=gpu-1 gpu-1 gpu-2 gpu-2"}, {"gpu-1", "gpu-2"}, 2U);
  expect({"LSB_JOBID=7", "LSB_MCPU_HOSTS=gpu-1 8 gpu-2 8"}, {"gpu-1", "gpu-2"}, 8U);
  for (const auto* odd : {"gpu-1 8 gpu-2", "gpu-1 gpu-2", "gpu-1 0", "8 gpu-1"})
    EXPECT_NE(refusal({fmt::format("LSB_MCPU_HOSTS={}", odd)}).find("LSB_MCPU_HOSTS"), std::string::npos) << odd;
}

TEST_F(FindHostsOfJob, IsThatOfGridEngine) {
  const auto text =
      "gpu-1.site 4 gpu.q@gpu-1.site UNDEFINED\ngpu-2.site 8 gpu.q@gpu-2.site <NULL>\ngpu-1.site 4 all.q@gpu-1.site "
      "0,1\n";
  expect({"PE_HOSTFILE=" + file("pe", text)}, {"gpu-1.site", "gpu-2.site"}, 8U);
  EXPECT_NE(refusal({"PE_HOSTFILE=" + file("odd", "gpu-1 8\ngpu-2\n")}).find("odd, line 2: "), std::string::npos);
  EXPECT_NE(refusal({"PE_HOSTFILE=" + file("odd", "gpu-1 8 q\ngpu-2 4 q\n")}).find("line 2: gpu-2 has 4 slots"),
            std::string::npos);
}

TEST_F(FindHostsOfJob, IsThatOfAnMpiJobWhateverItsMpi) {
  const auto open_mpi = file("open", "pi-launcher.pi.team.svc slots=4\npi-worker-0.pi.team.svc slots=4\n");
  const auto hydra = file("hydra", "pi-launcher.pi.team.svc:4\npi-worker-0.pi.team.svc:4\n");
  const Names names{"pi-launcher.pi.team.svc", "pi-worker-0.pi.team.svc"};
  for (const auto* name : {"OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile"})
    expect({"K_MPI_JOB_ROLE=launcher", fmt::format("{}={}", name, open_mpi)}, names, 4U);
  for (const auto* name : {"HYDRA_HOST_FILE", "I_MPI_HYDRA_HOST_FILE"})
    expect({"K_MPI_JOB_ROLE=launcher", fmt::format("{}={}", name, hydra)}, names, 4U);
  EXPECT_EQ(find({"OMPI_MCA_orte_default_hostfile=none"}).names, Names{}) << "which is Open MPI's word for no file";
}

TEST_F(FindHostsOfJob, IsRefusedByNameWhereNoListCanBeRead) {
  expect_refusal({"PBS_JOBID=7"}, "this is a job of PBS, but PBS_NODEFILE is not set");
  expect_refusal({"PBS_JOBID=7", "PBS_NODEFILE="}, "this is a job of PBS, but PBS_NODEFILE is not set");
  expect_refusal({"COBALT_JOBID=7"}, "this is a job of Cobalt");
  expect_refusal({"OAR_JOB_ID=7"}, "this is a job of OAR");
  expect_refusal({"LSB_JOBID=7"}, "this is a job of LSF");
  expect_refusal({"SLURM_JOB_ID=7"}, "this is a job of Slurm, but SLURM_JOB_NODELIST is not set");
  expect_refusal({"K_MPI_JOB_ROLE=launcher"}, "this is a pod of an MPIJob");
  for (const auto* name :
       {"PBS_NODEFILE", "COBALT_NODEFILE", "OAR_NODEFILE", "LSB_DJOB_HOSTFILE", "PE_HOSTFILE", "HYDRA_HOST_FILE",
        "I_MPI_HYDRA_HOST_FILE", "OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile"})
    expect_refusal({fmt::format("{}=nowhere/hosts", name)}, fmt::format("{} names", name));
}

// The tasks of nodes in Slurm's form.
std::vector<std::string> in_slurm(const std::string& nodes, const std::string& tasks) {
  return {"SLURM_JOB_ID=7", "SLURM_JOB_NODELIST=" + nodes, "SLURM_TASKS_PER_NODE=" + tasks, "SLURM_NTASKS=8"};
}

TEST_F(FindHostsOfJob, OfSlurmHasAsManySlotsAsTasksOnEachNode) {
  expect(in_slurm("n[1-3]", "8(x3)"), {"n1", "n2", "n3"}, 8U);
  expect(in_slurm("n[1-3]", "8(x2),8"), {"n1", "n2", "n3"}, 8U);
  expect(in_slurm("n[1-2]", "8,8"), {"n1", "n2"}, 8U);
  expect(in_slurm("n1", "8"), {"n1"}, 8U);
  expect(in_slurm("n1", "8(x1)"), {"n1"}, 8U);
  expect(in_slurm("n[1-2]", "1(x2)"), {"n1", "n2"}, 1U);
  expect({"SLURM_NODELIST=n[1-2]", "SLURM_TASKS_PER_NODE=4(x2)", "SLURM_NTASKS_PER_NODE=4"}, {"n1", "n2"}, 4U);
  EXPECT_TRUE(find(in_slurm("n1", "8")).of_slurm);
  EXPECT_FALSE(find({"LSB_HOSTS=n1"}).of_slurm);
}

TEST_F(FindHostsOfJob, OfSlurmHasNoSlotsWhereItCountsCpusOrTellsOfAStep) {
  expect({"SLURM_JOB_NODELIST=n[1-2]", "SLURM_TASKS_PER_NODE=96(x2)"}, {"n1", "n2"}, std::nullopt);
  expect({"SLURM_JOB_NODELIST=n[1-2]", "SLURM_NTASKS=8"}, {"n1", "n2"}, std::nullopt);
  expect(in_slurm("n[1-2]", ""), {"n1", "n2"}, std::nullopt);
  auto step = in_slurm("n[1-2]", "1");
  step.emplace_back("SLURM_STEP_ID=0");
  expect(step, {"n1", "n2"}, std::nullopt);
}

TEST_F(FindHostsOfJob, OfSlurmWithTasksThatCannotBeIsRefused) {
  const auto expect_told = [&](const std::string& tasks, std::string_view why) {
    const auto said = refusal(in_slurm("n[1-3]", tasks));
    EXPECT_EQ(said, fmt::format("SLURM_TASKS_PER_NODE is '{}': {}; ask Slurm for --ntasks-per-node, or give "
                                "--ranks-on-each",
                                tasks, why));
  };
  for (const auto* tasks :
       {"many", "8(x3", "8(3)", "8x3", "8(x)", "8(x0)", "0(x3)", "-8(x3)", "8,,8", ",8(x3)", "8(x3),", "8 (x3)",
        " 8(x3)", "8(x2), 8", "8(x3)8", "(x3)", "18446744073709551617(x3)", "8(x18446744073709551617)"})
    expect_told(tasks, "Slurm writes tasks of nodes as in 2(x3),1");
  expect_told("8(x2)", "that is of 2 nodes, and the job has 3");
  expect_told("8", "that is of 1 node, and the job has 3");
  expect_told("8(x4)", "that is of 4 nodes, and the job has 3");
  expect_told("8(x999999999)", "that is of more than 100000 nodes");
  expect_told("2(x2),1", "n3 has 1 where n1 has 2, and a job has as many ranks on each node");
  expect_told("1,2(x2)", "n2 has 2 where n1 has 1, and a job has as many ranks on each node");
}

TEST_F(FindHostsOfJob, OfSlurmIsTakenWithAnyTasksWhereNobodyAsksForSlots) {
  for (const auto* tasks : {"2(x2),1", "many", "8(x2)"})
    EXPECT_EQ(find(in_slurm("n[1-3]", tasks), {.wants_slots = false}).slots, std::nullopt);
}

TEST_F(FindHostsOfJob, IsNotSoughtElsewhereWhereItsFileIsMissing) {
  expect_refusal({"LSB_DJOB_HOSTFILE=nowhere", "LSB_HOSTS=a b"}, "LSB_DJOB_HOSTFILE names");
  expect_refusal({"PBS_NODEFILE=nowhere", "PE_HOSTFILE=" + file("pe", "a 8 q x\n")}, "PBS_NODEFILE names");
}

TEST_F(FindHostsOfJob, OfFluxIsRefusedWithTheCommandThatTells) {
  expect_refusal({"FLUX_URI=local:///run/flux"}, "flux getattr hostlist");
  expect_refusal({"FLUX_URI=local:///run/flux", "FLUX_JOB_ID=f2"}, "flux jobs");
}

TEST_F(FindHostsOfJob, IsThatOfTheFirstLauncherOfSeveral) {
  const auto nodes = file("nodes", "of-a-file\n");
  const std::vector<std::string> all{"HYDRA_HOST_FILE=" + nodes,  "FLUX_URI=x",
                                     "PE_HOSTFILE=nowhere",       "LSB_HOSTS=of-lsf",
                                     "PBS_NODEFILE=" + nodes,     "SLURM_JOB_NODELIST=of-slurm",
                                     "VC_WORKER_HOSTS=of-volcano"};
  EXPECT_EQ(find(all).names, Names{"of-volcano"});
  EXPECT_EQ(find({all.begin(), all.end() - 1}).names, Names{"of-slurm"});
  EXPECT_EQ(find({all.begin(), all.end() - 2}).names, Names{"of-a-file"});
  EXPECT_EQ(find({"OMPI_COMM_WORLD_SIZE=4", "MPI_LOCALNRANKS=4", "SLURM_JOB_NODELIST=gpu[1-2]"}).names,
            (Names{"gpu1", "gpu2"}));
}

}  // namespace
}  // namespace muster::healthcheck
