// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/nccl_facts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Operation;
using benchmarks::Route;

// Rank 0 of a job whose other ranks say what it says, but for what the last of them gives.
class Echo final : public benchmarks::Ranks {
 public:
  Echo(int size, std::string last) : size_(size), last_(std::move(last)) {}
  int rank() const override { return 0; }
  int size() const override { return size_; }
  std::string library() const override { return ""; }
  std::vector<std::string> gather(const std::string& text) override {
    std::vector<std::string> texts(static_cast<std::size_t>(size_), text);
    if (!last_.empty()) texts.back() = last_;
    return texts;
  }
  std::string broadcast(const std::string& text) override { return text; }
  double max(double value) override { return value; }
  double sum(double value) override { return size_ * value; }
  void barrier() override {}
  void tell(int, const std::string&) override {}
  std::optional<std::string> heard(int) override { return std::nullopt; }
  std::unique_ptr<benchmarks::Ranks> split(int) override { return nullptr; }

 private:
  int size_;
  std::string last_;
};

class NcclFactsOfAJob : public testing::Test {
 protected:
  // So many hosts of the captured NDv5 machine, with as many ranks on each.
  void start(int hosts, const std::string& last_log = "", int on_each = 8) {
    ranks_ = std::make_unique<Echo>(on_each * hosts, last_log);
    std::vector<std::string> names;
    for (int rank = 0; rank < on_each * hosts; ++rank) names.push_back("host" + std::to_string(rank / on_each));
    context_ = std::make_unique<Context>(
        Context::Setting{.sysfs = topology::Sysfs(tests::source_folder() / "tests/machines/ndv5"),
                         .ranks = ranks_.get(),
                         .hosts = names},
        run_, [](const results::CheckRun&) {});
  }

  NcclFacts facts() { return {*context_, "allreduce", "0001:00:00.0"}; }

  // Of a job that took these algorithms, when NCCL found so many H100 on rank 0; it tells of none where it found none.
  std::optional<results::Limit> limit(const std::vector<std::string>& algorithms, int gpus,
                                      Operation operation = Operation::allreduce, const std::string& more = "") {
    std::set<Route> seen;
    for (const auto& algorithm : algorithms) seen.insert({algorithm, "SIMPLE", 16});
    return facts().limit(operation, seen, dump(gpus, more));
  }

  bool linked(int gpus) { return facts().linked(dump(gpus)); }

  std::string value(std::string_view fact) const {
    const auto found =
        std::ranges::find(run_.measurements, "allreduce." + std::string(fact), &results::Measurement::metric);
    return found == run_.measurements.end() ? "" : results::to_text(found->value);
  }

 private:
  // The topology of so many H100, each with more in it; there is no file where NCCL found none.
  std::filesystem::path dump(int gpus, const std::string& more = "") const {
    auto file = folder_.path() / fmt::format("{}.xml", gpus);
    if (gpus == 0) return file;
    std::string text = R"(<system version="1"><cpu numaid="0">)";
    for (int gpu = 0; gpu < gpus; ++gpu)
      text += fmt::format(R"(<pci busid="{0:04x}:00:00.0" class="0x030200"><gpu dev="{0}" sm="90" rank="{0}">)"
                          R"(<nvlink target="fffffff:ffff:ff" count="18" tclass="0x068000"/>{1}</gpu></pci>)",
                          gpu, more);
    folder_.write(file.filename(), text + "</cpu></system>");
    return file;
  }

  tests::TemporaryFolder folder_;
  results::CheckRun run_;
  std::unique_ptr<Echo> ranks_;
  std::unique_ptr<Context> context_;
};

TEST_F(NcclFactsOfAJob, LimitBetweenNodesIsWhatTheirInfiniBandPortsCarry) {
  start(2);
  for (const int gpus_of_rank_0 : {0, 8}) {
    const auto ring = limit({"RING"}, gpus_of_rank_0);
    ASSERT_TRUE(ring);
    EXPECT_DOUBLE_EQ(ring->value.value, 400e9);
    EXPECT_EQ(ring->source, "400 GB/s a node by its active InfiniBand ports, algorithm RING");
    EXPECT_DOUBLE_EQ(limit({"RING", "TREE"}, gpus_of_rank_0)->value.value, 750e9);
  }
}

TEST_F(NcclFactsOfAJob, LimitBetweenNodesIsWhatTheGpusThatTakePartGiveThePorts) {
  start(2, "", 2);
  const auto ring = limit({"RING"}, 2);
  ASSERT_TRUE(ring);
  EXPECT_DOUBLE_EQ(ring->value.value, 128e9) << "of two GPUs, PCIe 5 x16 each";
  EXPECT_EQ(ring->source, "128 GB/s a node by the PCIe links of its GPUs, algorithm RING");
  EXPECT_DOUBLE_EQ(limit({"RING"}, 2, Operation::allreduce, R"(<c2c bw="100000" count="1"/>)")->value.value, 400e9)
      << "there is another way out of a GPU";
  EXPECT_DOUBLE_EQ(limit({"RING"}, 0)->value.value, 400e9) << "NCCL told nothing";
}

TEST_F(NcclFactsOfAJob, LimitWhereNvlinksReachAllRanksIsWhatTheyCarry) {
  start(1);
  const auto ring = limit({"RING"}, 8);
  ASSERT_TRUE(ring);
  EXPECT_DOUBLE_EQ(ring->value.value, 450e9);
  EXPECT_DOUBLE_EQ(limit({"RING", "NVLS"}, 8)->value.value, 700e9);
  EXPECT_EQ(limit({"RING", "NVLS"}, 8)->source, "450 GB/s a GPU by its NVLinks, algorithm NVLS");
  start(2);
  EXPECT_DOUBLE_EQ(limit({"RING"}, 16)->value.value, 450e9) << "over several nodes, too";
}

TEST_F(NcclFactsOfAJob, NvlinksReachAllRanksOrDoNot) {
  start(2);
  EXPECT_TRUE(linked(16)) << "hosts of one rack that share NVLink switches";
  EXPECT_FALSE(linked(8));
  EXPECT_FALSE(linked(0)) << "NCCL told nothing";
}

TEST_F(NcclFactsOfAJob, LimitIsUnknownWhereNobodyCanTell) {
  start(1);
  EXPECT_FALSE(limit({"RING"}, 0)) << "NCCL told nothing";
  EXPECT_FALSE(limit({"RING"}, 4)) << "two ranks share a GPU";
  EXPECT_FALSE(limit({}, 8)) << "no route was seen";
  EXPECT_FALSE(limit({"RING"}, 8, Operation::all_gather)) << "another operation";
}

TEST_F(NcclFactsOfAJob, RoutesAreNamedTogether) {
  start(1);
  facts().add_routes({Route{"NVLS", "SIMPLE", 24}, Route{"RING", "LL128", 16}}, {});
  EXPECT_EQ(value("path_seen"), "yes");
  EXPECT_EQ(value("algorithm"), "NVLS+RING");
  EXPECT_EQ(value("protocol"), "LL128+SIMPLE");
  EXPECT_EQ(value("channels"), "24");
}

TEST_F(NcclFactsOfAJob, NoRouteIsNoAlgorithm) {
  start(1);
  facts().add_routes({}, {});
  EXPECT_EQ(value("path_seen"), "no");
  EXPECT_EQ(value("algorithm"), "");
}

TEST_F(NcclFactsOfAJob, AFileThatAllRanksReadIsRead) {
  start(1);
  facts().add_log("h:1:1 [0] NCCL INFO Loading topology file /opt/t.xml\n", {});
  EXPECT_EQ(value("topology_file"), "read");
}

TEST_F(NcclFactsOfAJob, AFileThatOnlySomeRanksReadIsSeen) {
  start(1, "h:1:1 [0] NCCL INFO Using network IB\n");
  facts().add_log("h:1:1 [0] NCCL INFO Loading topology file /opt/t.xml\n", {});
  EXPECT_EQ(value("topology_file"), "read by some ranks");
  EXPECT_EQ(value("network"), "IB");
}

TEST_F(NcclFactsOfAJob, GpuDirectOnSomeChannelsIsNotOn) {
  const std::string channel = "h:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0";
  start(1, channel + "\n");
  facts().add_log(channel + "/GDRDMA\n", {});
  EXPECT_EQ(value("gpu_direct"), "on some channels");
  EXPECT_EQ(value("transport"), "NET/IB");
}

}  // namespace
}  // namespace muster::healthcheck
