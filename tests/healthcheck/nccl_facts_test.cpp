// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/nccl_facts.hpp"

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
  std::unique_ptr<benchmarks::Ranks> split(int) override { return nullptr; }

 private:
  int size_;
  std::string last_;
};

class NcclFactsOfAJob : public testing::Test {
 protected:
  // So many hosts of the captured NDv5 machine, eight ranks on each.
  void start(int hosts, const std::string& last_log = "") {
    ranks_ = std::make_unique<Echo>(8 * hosts, last_log);
    std::vector<std::string> names;
    for (int rank = 0; rank < 8 * hosts; ++rank) names.push_back("host" + std::to_string(rank / 8));
    context_ = std::make_unique<Context>(
        Context::Setting{.sysfs = topology::Sysfs(tests::source_folder() / "tests/machines/ndv5"),
                         .ranks = ranks_.get(),
                         .hosts = names},
        run_, [](const results::CheckRun&) {});
  }

  NcclFacts facts() { return {*context_, "allreduce"}; }

  std::string value(std::string_view fact) const {
    const auto found =
        std::ranges::find(run_.measurements, "allreduce." + std::string(fact), &results::Measurement::metric);
    return found == run_.measurements.end() ? "" : results::to_text(found->value);
  }

 private:
  results::CheckRun run_;
  std::unique_ptr<Echo> ranks_;
  std::unique_ptr<Context> context_;
};

TEST_F(NcclFactsOfAJob, LimitIsWhatTheInfiniBandPortsOfANodeCarry) {
  start(2);
  const auto ring = facts().limit(Operation::allreduce, {Route{"RING", "SIMPLE", 16}});
  ASSERT_TRUE(ring);
  EXPECT_DOUBLE_EQ(ring->value.value, 400e9);
  const auto either = facts().limit(Operation::allreduce, {Route{"RING", "SIMPLE", 16}, Route{"TREE", "SIMPLE", 16}});
  EXPECT_DOUBLE_EQ(either->value.value, 750e9);
}

TEST_F(NcclFactsOfAJob, LimitIsUnknownWhereNobodyCanTell) {
  start(1);
  EXPECT_FALSE(facts().limit(Operation::allreduce, {Route{"RING", "SIMPLE", 16}})) << "one node";
  start(2);
  EXPECT_FALSE(facts().limit(Operation::allreduce, {})) << "no route was seen";
  EXPECT_FALSE(facts().limit(Operation::all_gather, {Route{"RING", "SIMPLE", 16}})) << "another operation";
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
  facts().add_log("h:1:1 [0] NCCL INFO Loading topology file /opt/t.xml\n");
  EXPECT_EQ(value("topology_file"), "read");
}

TEST_F(NcclFactsOfAJob, AFileThatOnlySomeRanksReadIsSeen) {
  start(1, "h:1:1 [0] NCCL INFO Using network IB\n");
  facts().add_log("h:1:1 [0] NCCL INFO Loading topology file /opt/t.xml\n");
  EXPECT_EQ(value("topology_file"), "read by some ranks");
  EXPECT_EQ(value("network"), "IB");
}

TEST_F(NcclFactsOfAJob, GpuDirectOnSomeChannelsIsNotOn) {
  const std::string channel = "h:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0";
  start(1, channel + "\n");
  facts().add_log(channel + "/GDRDMA\n");
  EXPECT_EQ(value("gpu_direct"), "on some channels");
  EXPECT_EQ(value("transport"), "NET/IB");
}

}  // namespace
}  // namespace muster::healthcheck
