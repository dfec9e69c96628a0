// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/nccl_configuration.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/files.hpp"

namespace muster::topology {
namespace {

class NcclConfiguration : public testing::Test {
 protected:
  NcclConfiguration() { tree_.write("proc/version", "Linux\n"); }

  // "PATH, told by": of no file "none".
  std::string in_use(const NcclVariables& variables = {}) {
    const Sysfs sysfs(tree_.path());
    const auto found = topology_in_use(sysfs, variables);
    if (!found) return "none";
    const auto path = found->path.string(), root = tree_.path().string();
    return (path.starts_with(root) ? path.substr(root.size()) : path) + ", " + found->told_by +
           (found->has_carriage_return ? ", with a carriage return" : "");
  }

  std::string ineffective(std::string_view text) {
    tree_.write("etc/nccl.conf", text);
    return ineffective_line(Sysfs(tree_.path()), {});
  }

  tests::TemporaryFolder tree_;
};

TEST_F(NcclConfiguration, ComesFromTheVariableFirst) {
  tree_.write("etc/nccl.conf", "NCCL_TOPO_FILE=/etc.xml\n");
  EXPECT_EQ(in_use({.topology = "/v.xml", .configuration = {}, .home = {}}), "/v.xml, NCCL_TOPO_FILE");
  EXPECT_EQ(in_use({.topology = "", .configuration = {}, .home = {}}), "none") << "which is no file at all";
}

TEST_F(NcclConfiguration, ComesFromTheNamedFileOrTheHomeFolderThenFromTheMachine) {
  tree_.write("etc/nccl.conf", "NCCL_TOPO_FILE=/etc.xml\n");
  EXPECT_EQ(in_use(), "/etc.xml, etc/nccl.conf");
  tree_.write("root/.nccl.conf", "NCCL_TOPO_FILE=/home.xml\n");
  tree_.write("opt/conf", "NCCL_TOPO_FILE=/named.xml\n");
  EXPECT_EQ(in_use({.topology = {}, .configuration = {}, .home = "/root"}), "/home.xml, /root/.nccl.conf");
  EXPECT_EQ(in_use({.topology = {}, .configuration = "/opt/conf", .home = "/root"}), "/named.xml, /opt/conf");
  EXPECT_EQ(in_use({.topology = {}, .configuration = "/gone", .home = "/root"}), "/etc.xml, etc/nccl.conf")
      << "not from the home folder";
}

TEST_F(NcclConfiguration, OfARelativePathIsInTheFolderOfTheJob) {
  tree_.write("conf", "NCCL_TOPO_FILE=topo.xml\n");
  const auto found =
      topology_in_use(Sysfs("/"), {.topology = {}, .configuration = (tree_.path() / "conf").string(), .home = {}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, "topo.xml");
}

TEST_F(NcclConfiguration, ComesFromTopologydWhereNothingElseTells) {
  tree_.write("var/run/nvidia-topologyd/virtualTopology.xml", "");
  EXPECT_EQ(in_use(), "/var/run/nvidia-topologyd/virtualTopology.xml, nvidia-topologyd");
  tree_.write("etc/nccl.conf", "NCCL_TOPO_FILE=\n");
  EXPECT_EQ(in_use(), "none");
}

TEST_F(NcclConfiguration, TrimsNothingAndTakesTheFirstLine) {
  for (const auto& [text, wanted] : {std::pair{"NCCL_TOPO_FILE=/a\nNCCL_TOPO_FILE=/b\n", "/a, etc/nccl.conf"},
                                     {"NCCL_TOPO_FILE=/a \n", "/a , etc/nccl.conf"},
                                     {"NCCL_TOPO_FILE=/a=b\n", "/a=b, etc/nccl.conf"},
                                     {"NCCL_TOPO_FILE=/a\r\n", "/a, etc/nccl.conf, with a carriage return"},
                                     {"NCCL_TOPO_FILE=/a\r \n", "/a\r , etc/nccl.conf"},
                                     {"NCCL_TOPO_FILE=/a # why\n", "/a # why, etc/nccl.conf"},
                                     {"NCCL_TOPO_FILE = /a\n", "none"},
                                     {" NCCL_TOPO_FILE=/a\n", "none"},
                                     {"\tNCCL_TOPO_FILE=/a\n", "none"},
                                     {"export NCCL_TOPO_FILE=/a\n", "none"},
                                     {"#NCCL_TOPO_FILE=/a\n", "none"},
                                     {"NCCL_TOPO_FILE\n", "none"},
                                     {"NCCL_TOPO_FILE =/a\nNCCL_TOPO_FILE=/b\n", "/b, etc/nccl.conf"}}) {
    tree_.write("etc/nccl.conf", text);
    EXPECT_EQ(in_use(), wanted) << text;
  }
}

TEST_F(NcclConfiguration, NamesALineThatSetsNothing) {
  EXPECT_EQ(ineffective("A=1\n NCCL_TOPO_FILE=/a\n"), "etc/nccl.conf: ' NCCL_TOPO_FILE=/a'");
  EXPECT_EQ(ineffective("export NCCL_TOPO_FILE=/a\n"), "etc/nccl.conf: 'export NCCL_TOPO_FILE=/a'");
  for (const auto* text :
       {"", "NCCL_TOPO_FILE=/a\n", "# NCCL_TOPO_FILE = /a\n", "#NCCL_TOPO_FILE = /a\n", "NCCL_TOPO_FILE_X =1\n"})
    EXPECT_EQ(ineffective(text), "") << text;
}

TEST_F(NcclConfiguration, NamesAGraphFileByTheSameRules) {
  const auto graph = [&](const NcclVariables& variables) {
    const auto found = graph_in_use(Sysfs(tree_.path()), variables);
    return found ? found->told_by : "none";
  };
  EXPECT_EQ(graph({}), "none");
  tree_.write("etc/nccl.conf", "NCCL_GRAPH_FILE=/g.xml\n");
  tree_.write("var/run/nvidia-topologyd/virtualTopology.xml", "");
  EXPECT_EQ(graph({}), "etc/nccl.conf");
  EXPECT_EQ(graph({.topology = {}, .graph = "/v.xml"}), "NCCL_GRAPH_FILE");
  EXPECT_EQ(graph({.topology = {}, .graph = ""}), "none");
  tree_.write("etc/nccl.conf", "NCCL_GRAPH_FILE =/g.xml\n");
  EXPECT_EQ(graph({}), "none");
}

}  // namespace
}  // namespace muster::topology
