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

TEST(Launcher, ItsVariablesAreToldFromSettings) {
  for (const auto* variable : {"OMPI_COMM_WORLD_RANK", "OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_hnp_uri", "PMIX_RANK",
                               "PMI_SIZE", "MPI_LOCALRANKID", "SLURM_PROCID"})
    EXPECT_TRUE(is_of_launcher(variable)) << variable;
  for (const auto* variable : {"OMPI_MCA_btl", "OMPI_MCA_btl_tcp_if_include", "PMIX_MCA_gds", "NCCL_DEBUG", "PATH"})
    EXPECT_FALSE(is_of_launcher(variable)) << variable;
}

}  // namespace
}  // namespace muster::benchmarks
