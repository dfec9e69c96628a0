// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/launcher.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster::benchmarks {
namespace {

using Environment = std::vector<const char*>;

TEST(Launcher, TellsTheSizeByTheInnermostOfThem) {
  const Environment both{"SLURM_STEP_NUM_TASKS=2", "OMPI_COMM_WORLD_SIZE=16", nullptr};
  EXPECT_EQ(told_size(both.data())->variable, "OMPI_COMM_WORLD_SIZE");
  EXPECT_EQ(told_size(both.data())->value, 16);
  const Environment pmi{"PMI_SIZE=8", nullptr};
  EXPECT_EQ(told_size(pmi.data())->value, 8);
}

TEST(Launcher, TellsNothingWhereThereIsNone) {
  const Environment other{"PATH=/bin", "PMI_SIZES=3", "PMI_SIZE=many", "PMI_SIZE_=1", nullptr};
  EXPECT_FALSE(told_size(other.data()));
  EXPECT_FALSE(told_rank(other.data()));
}

TEST(Launcher, TellsTheRank) {
  const Environment slurm{"SLURM_PROCID=5", nullptr};
  EXPECT_EQ(told_rank(slurm.data())->value, 5);
}

TEST(Launcher, InsideAnotherGivesTheName) {
  const Environment flux{"SLURM_PROCID=0", "FLUX_TASK_RANK=1", "PMI_RANK=1", "PMI_SIZE=2", nullptr};
  EXPECT_EQ(launcher_of(flux.data()).name, "flux run");
  const Environment mpich{"SLURM_PROCID=0", "MPI_LOCALRANKID=1", "PMI_RANK=1", "HYDI_CONTROL_FD=7", nullptr};
  EXPECT_EQ(launcher_of(mpich.data()).name, "mpiexec of MPICH");
  // A module of Intel's sets I_MPI_ROOT for whatever comes.
  const Environment intel{"I_MPI_ROOT=/opt", "MPI_LOCALRANKID=1", "PMI_RANK=1", nullptr};
  EXPECT_EQ(launcher_of(intel.data()).name, "mpirun of Intel MPI");
  const Environment slurm{"I_MPI_ROOT=/opt", "PMI_RANK=1", "SLURM_PROCID=1", nullptr};
  EXPECT_EQ(launcher_of(slurm.data()).name, "srun");
  const Environment shell{"I_MPI_ROOT=/opt", nullptr};
  EXPECT_EQ(launcher_of(shell.data()).name, "");
}

TEST(Launcher, TellsOfRanksThatMpiDoesNotKnow) {
  const auto told = [](const Environment& environment, int size) {
    return told_of_others(launcher_of(environment.data()), size);
  };
  EXPECT_EQ(told({"FLUX_TASK_RANK=0", "FLUX_JOB_SIZE=4", nullptr}, 1), "flux run started 4 ranks (FLUX_JOB_SIZE=4)");
  EXPECT_EQ(told({"FLUX_TASK_RANK=0", "FLUX_JOB_SIZE=4", nullptr}, 4), "");
  EXPECT_EQ(told({"ALPS_APP_PE=3", nullptr}, 1), "aprun started 4 ranks or more (ALPS_APP_PE=3)");
  EXPECT_EQ(told({"PMI_ID=0", "MPI_LOCALRANKID=0", "MPI_LOCALNRANKS=2", nullptr}, 1),
            "mpiexec of Hydra started 2 ranks or more (MPI_LOCALNRANKS=2)");
  EXPECT_EQ(told({"ALPS_APP_PE=0", nullptr}, 1),
            "aprun started this as rank 0 and does not say of how many (ALPS_APP_PE=0)");
  EXPECT_EQ(told({"PMI_SIZE=16", nullptr}, 1), "a launcher started 16 ranks (PMI_SIZE=16)");
  EXPECT_EQ(told({"PATH=/bin", nullptr}, 1), "");
}

TEST(Launcher, TellsOfNoOthersWhereItStandsOutsideOfTheJob) {
  const auto told = [](const Environment& environment, int size) {
    return told_of_others(launcher_of(environment.data()), size);
  };
  EXPECT_EQ(told({"SLURM_PROCID=0", nullptr}, 1), "");                                           // a batch script
  EXPECT_EQ(told({"SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2", "PMIX_RANK=5", nullptr}, 8), "");  // prterun's daemons
  EXPECT_EQ(told({"PMI_RANK=0", "PMI_SIZE=64", "OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=2", nullptr}, 2), "");
}

TEST(Launcher, OfSlurmLeavesARankAloneWithoutPmix) {
  const auto is_alone = [](const Environment& environment) { return is_alone_in_step(environment.data()); };
  EXPECT_TRUE(is_alone({"SLURM_STEP_ID=0", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2", nullptr}));
  EXPECT_TRUE(is_alone({"SLURM_STEP_ID=0", "PMIX_MCA_gds=hash", nullptr}));  // a setting of the user
  EXPECT_FALSE(is_alone({"SLURM_STEP_ID=0", "PMIX_NAMESPACE=slurm.pmix.9.0", "PMIX_RANK=1", nullptr}));
  EXPECT_FALSE(is_alone({"SLURM_STEP_ID=0", "PMI_FD=10", "PMI_RANK=1", nullptr}));
  EXPECT_FALSE(is_alone({"SLURM_JOB_ID=9", "SLURM_PROCID=0", nullptr}));  // a batch script
}

TEST(Launcher, ItsVariablesAreToldFromSettings) {
  for (const auto* variable :
       {"OMPI_COMM_WORLD_RANK", "OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_hnp_uri", "PMIX_RANK", "PMI_SIZE",
        "MPI_LOCALRANKID", "SLURM_PROCID", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "PALS_RANKID", "JSM_NAMESPACE_SIZE",
        "ALPS_APP_PE", "MV2_COMM_WORLD_RANK", "HYDI_CONTROL_FD"})
    EXPECT_TRUE(is_of_launcher(variable)) << variable;
  for (const auto* variable :
       {"OMPI_MCA_btl", "OMPI_MCA_btl_tcp_if_include", "PMIX_MCA_gds", "NCCL_DEBUG", "FLUX_URI", "PATH"})
    EXPECT_FALSE(is_of_launcher(variable)) << variable;
}

}  // namespace
}  // namespace muster::benchmarks
