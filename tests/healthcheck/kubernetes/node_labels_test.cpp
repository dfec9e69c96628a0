// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/node_labels.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/support/files.hpp"
#include "tests/support/hyperv.hpp"
#include "topology/devices/hyperv.hpp"

namespace muster::healthcheck {
namespace {

using tests::record;

// A guest of Hyper-V with one InfiniBand port for each table of P_Keys.
class Guest {
 public:
  explicit Guest(std::string_view pool, const std::vector<std::vector<std::string>>& keys = {}) {
    folder_.write(topology::hyperv_pool_file, pool);
    for (std::size_t number = 0; number < keys.size(); ++number) {
      const auto device = fmt::format("sys/class/infiniband/mlx5_ib{}/", number);
      folder_.write(device + "node_guid", fmt::format("0015:5dff:fe33:ff0{}\n", number));
      folder_.write(device + "ports/1/link_layer", "InfiniBand\n");
      for (std::size_t index = 0; index < keys[number].size(); ++index)
        folder_.write(fmt::format("{}ports/1/pkeys/{}", device, index), keys[number][index] + "\n");
    }
    std::filesystem::create_directories(folder_.path() / "sys");
  }

  NodeLabels labels() const { return node_labels(topology::Sysfs(folder_.path()), "hyperv"); }

 private:
  tests::TemporaryFolder folder_;
};

bool is_valid(const std::string& label) {
  return std::regex_match(label, std::regex("([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?")) && label.size() <= 63;
}

TEST(AsLabel, WhatIsValidStaysAsItIs) {
  for (const std::string& text : std::vector<std::string>{"", "a", "CHI01.prod_2-b", "22", std::string(63, 'x')})
    EXPECT_EQ(as_label(text), text);
}

TEST(AsLabel, OtherLettersBecomeDashesAndEndsAreCutOff) {
  EXPECT_EQ(as_label("two words"), "two-words");
  EXPECT_EQ(as_label("-_.a./b.:-"), "a.-b");
  EXPECT_EQ(as_label("\xc3\xa4"), "");
}

TEST(AsLabel, WhatIsTooLongEndsInAHashOfAllOfIt) {
  const std::string longer(2048, 'v');
  EXPECT_EQ(as_label(longer).size(), 63U);
  EXPECT_NE(as_label(longer), as_label(longer + "w"));
  for (const auto& text : {longer, std::string(54, 'a') + std::string(20, '.'), std::string(70, '.') + "a"})
    EXPECT_TRUE(is_valid(as_label(text))) << as_label(text);
}

TEST(NodeLabels, OfAnNdv5NodeAreAllThatItsHostTells) {
  const auto made = node_labels(topology::Sysfs(tests::source_folder() / "tests/machines/ndv5"), "hyperv");
  EXPECT_EQ(made.problems, std::vector<std::string>{});
  EXPECT_EQ(made.labels.size(), 17U) << "16 records and ib/pkey";
  for (const auto& [name, value] : made.labels) EXPECT_TRUE(is_valid(value)) << name << "=" << value;
  EXPECT_TRUE(made.labels.contains("hyperv/PhysicalHostName"));
  EXPECT_TRUE(made.labels.contains("ib/pkey"));
  EXPECT_NE(made.annotations.at("ib/hca-guids").find(','), std::string::npos);
}

TEST(NodeLabels, ATextThatIsNoLabelIsAnAnnotationToo) {
  const auto made = Guest(record("Name", "two words") + record("HostName", "CHI01") + record("Empty", "")).labels();
  EXPECT_EQ(made.labels, (std::map<std::string, std::string>{
                             {"hyperv/Name", "two-words"}, {"hyperv/HostName", "CHI01"}, {"hyperv/Empty", ""}}));
  EXPECT_EQ(made.annotations, (std::map<std::string, std::string>{{"hyperv/Name", "two words"}}));
}

TEST(NodeLabels, KeysThatLookAlikeHaveNamesOfTheirOwn) {
  const auto made = Guest(record("a b", "1") + record("a-b", "2") + record("/", "3") + record("//", "4")).labels();
  EXPECT_EQ(made.labels.size(), 4U);
  for (const auto& [name, value] : made.labels) EXPECT_TRUE(name.starts_with("hyperv/") && is_valid(name.substr(7)));
}

TEST(NodeLabels, ADamagedPoolIsSaid) {
  EXPECT_EQ(Guest(record("HostName", "CHI01") + "torn").labels().problems.size(), 1U);
  std::string many;
  for (int number = 0; number < 300; ++number) many += record(fmt::format("Key{:03}", number), "v");
  const auto made = Guest(many).labels();
  EXPECT_EQ(made.labels.size(), 200U);
  EXPECT_EQ(made.problems, std::vector<std::string>{"of 300 values of Hyper-V the first 200 were taken"});
}

TEST(NodeLabels, TextsThatAreTooMuchForANodeAreLabelsAlone) {
  std::string many;
  for (int number = 0; number < 100; ++number)
    many += record(fmt::format("Key{:03}", number), std::string(2000, '!') + "v", "");
  const auto made = Guest(many).labels();
  EXPECT_EQ(made.labels.size(), 100U);
  EXPECT_EQ(made.annotations.size(), 65U);
  ASSERT_EQ(made.problems.size(), 1U);
  EXPECT_NE(made.problems[0].find("35 values"), std::string::npos) << made.problems[0];
}

TEST(NodeLabels, SettleWhatWasReadWhole) {
  using Names = std::vector<std::string>;
  const Names of_ports{"ib/pkey", "ib/pkeys", "ib/hca-guids"};
  EXPECT_EQ(Guest("").labels().settled, Names{"hyperv/"});
  EXPECT_EQ(Guest("torn").labels().settled, Names{});
  EXPECT_EQ(Guest("torn", {{"0x8001"}}).labels().settled, of_ports);
  EXPECT_EQ(Guest("", {{}}).labels().settled, (Names{"hyperv/", "ib/pkey", "ib/pkeys", "ib/hca-guids"}));
}

TEST(NodeLabels, ThePartitionIsThatOfWhichAllPortsAreFullMembers) {
  EXPECT_EQ(Guest("", {{"0x8001", "0x7fff"}, {"0x8001", "0x7fff"}}).labels().labels.at("ib/pkey"), "0x8001");
  EXPECT_EQ(Guest("", {{"0xf123", "0xffff"}}).labels().labels.at("ib/pkey"), "0xf123") << "beside the default one";
  EXPECT_EQ(Guest("", {{"0xffff"}}).labels().labels.at("ib/pkey"), "0xffff");
  EXPECT_FALSE(Guest("", {{"0x7fff"}}).labels().labels.contains("ib/pkey"));
}

TEST(NodeLabels, TwoPartitionsAreNoLabelAndAProblem) {
  const auto made = Guest("", {{"0x8001"}, {"0x8002"}}).labels();
  EXPECT_FALSE(made.labels.contains("ib/pkey"));
  EXPECT_EQ(made.annotations.at("ib/pkeys"), "0x8001,0x8002");
  EXPECT_EQ(made.annotations.at("ib/hca-guids"), "0015:5dff:fe33:ff00,0015:5dff:fe33:ff01");
  ASSERT_EQ(made.problems.size(), 1U);
  EXPECT_NE(made.problems[0].find("2 partitions"), std::string::npos);
}

TEST(NodeLabels, AMachineOfItsOwnHasNone) {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "sys");
  const auto made = node_labels(topology::Sysfs(folder.path()), "hyperv");
  EXPECT_TRUE(made.labels.empty() && made.annotations.empty() && made.problems.empty() && made.settled.empty());
}

}  // namespace
}  // namespace muster::healthcheck
