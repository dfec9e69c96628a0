// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/open_mpi.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

TEST(OpenMpi, SaysItsVersion) {
  EXPECT_EQ(open_mpi_version("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n"),
            "4.1.4");
  EXPECT_EQ(open_mpi_version("mpirun (Open MPI) 5.0.11"), "5.0.11");
  EXPECT_EQ(open_mpi_version("HYDRA build details:\n    Version: 5.0.2\n"), std::nullopt);
}

TEST(OpenMpi, FourTakesNoOddLetterInANameOfAHost) {
  const std::vector<std::string> hosts{"gpu-1", "fd77::2", "fd77::3"};
  EXPECT_EQ(why_no_host(hosts, "4.1.4"),
            "mpirun of Open MPI 4.1.4 does not take fd77::2 for a host, because of its ':': give a name of letters, "
            "digits, '.' and '-', or use Open MPI 5");
  EXPECT_NE(why_no_host(std::vector<std::string>{"gpu_1"}, "4.1.8").find("because of its '_'"), std::string::npos);
  EXPECT_EQ(why_no_host(hosts, "5.0.11"), "");
  EXPECT_EQ(why_no_host(hosts, "10.0.0"), "");
  EXPECT_EQ(why_no_host(std::vector<std::string>{"gpu-1", "10.77.0.1", "W.one.test"}, "4.1.4"), "");
}

TEST(OpenMpi, IsToldItsInterfacesByAVariableOrAFile) {
  const tests::TemporaryFolder home;
  home.write("proc/mounts", "");
  const auto chooses = [&](const char* variable = "A=b") {
    const auto folder = "HOME=" + home.path().string();
    const std::vector<const char*> environment{folder.c_str(), variable, nullptr};
    return open_mpi_chooses_interfaces(topology::Sysfs(home.path()), environment.data());
  };
  EXPECT_FALSE(chooses());
  EXPECT_TRUE(chooses("OMPI_MCA_btl_tcp_if_include=eth0"));
  EXPECT_TRUE(chooses("OMPI_MCA_btl_tcp_if_exclude=lo,docker0"));
  EXPECT_FALSE(chooses("OMPI_MCA_btl_tcp_links=2"));
  home.write(".openmpi/mca-params.conf", "# btl_tcp_if_exclude = docker0\nbtl = tcp,self\n");
  EXPECT_FALSE(chooses());
  home.write(".openmpi/mca-params.conf", "btl = tcp,self\n  btl_tcp_if_exclude = docker0\n");
  EXPECT_TRUE(chooses());
  home.write(".openmpi/mca-params.conf", "");
  home.write("etc/openmpi/openmpi-mca-params.conf", "btl_tcp_if_include=ib0\n");
  EXPECT_TRUE(chooses());
}

}  // namespace
}  // namespace muster::healthcheck
