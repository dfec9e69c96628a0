// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/graph_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace muster::topology {
namespace {

std::string graph(const std::string& channel) {
  return "<graphs version=\"1\">\n<graph id=\"0\">\n<channel>\n" + channel + "</channel>\n</graph>\n</graphs>\n";
}

TEST(GraphFile, OfGpusThatAreThereIsGood) {
  EXPECT_EQ(why_graph_fails(graph("<net dev=\"0\"/>\n<gpu dev=\"0\"/>\n<gpu dev=\"1\"/>\n"), 2), "");
  EXPECT_EQ(why_graph_fails(graph("<gpu dev=\"1\"/>\n<gpu dev=\"0\"/>\n"), 4), "");
}

TEST(GraphFile, OfOtherGpusNamesThem) {
  EXPECT_EQ(why_graph_fails(graph("<gpu dev=\"3\"/>\n<gpu dev=\"0\"/>\n<gpu dev=\"2\"/>\n"), 2),
            "it names GPU 2, 3, and this machine has 2 GPUs");
  EXPECT_EQ(why_graph_fails(graph("<gpu dev=\"1\"/>\n"), 1), "it names GPU 1, and this machine has 1 GPU");
}

TEST(GraphFile, ThatNcclCannotReadSaysWhy) {
  EXPECT_NE(why_graph_fails("", 1), "");
  EXPECT_NE(why_graph_fails("NCCL\n", 1), "");
  EXPECT_NE(why_graph_fails("<system version=\"1\">\n</system>\n", 1).find("it is not a graph file"),
            std::string::npos);
  EXPECT_NE(why_graph_fails("<graphs version=\"2\">\n</graphs>\n", 1), "");
}

}  // namespace
}  // namespace muster::topology
