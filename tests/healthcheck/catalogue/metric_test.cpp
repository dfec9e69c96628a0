// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/catalogue/metric.hpp"

#include <gtest/gtest.h>

#include <string>

#include "healthcheck/program/error.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

// A table of one metric with these labels.
Metrics table(const std::string& labels) {
  const tests::TemporaryFolder folder;
  folder.write("metrics.json",
               R"([{"metric": "fan.speed", "unit": "1", "meaning": "How fast", "labels": )" + labels + "}]");
  return Metrics(folder.path() / "metrics.json");
}

TEST(Metrics, SayWhichLabelsNameAComponent) {
  const auto metrics = table(R"({"fan": "component", "level": ["low", "high"], "curve": []})");
  EXPECT_TRUE(metrics.names_component("fan", "2"));
  EXPECT_TRUE(metrics.names_component("host", "gpu-1")) << "every fact has one";
  EXPECT_FALSE(metrics.names_component("fan", "all")) << "the whole machine is not a part of itself";
  EXPECT_FALSE(metrics.names_component("level", "low"));
  EXPECT_FALSE(metrics.names_component("curve", "a"));
}

TEST(Metrics, SayWhatLastsAndWhatEachMachineHasOfItsOwn) {
  const tests::TemporaryFolder folder;
  folder.write("metrics.json", R"([{"metric": "fan.model", "unit": "text", "lasting": true, "meaning": "Its model"},
                                   {"metric": "fan.serial", "unit": "text", "of_machine": true, "meaning": "Its number"}])");
  const Metrics metrics(folder.path() / "metrics.json");
  EXPECT_TRUE(metrics.find("fan.model")->is_lasting);
  EXPECT_FALSE(metrics.find("fan.model")->is_of_machine);
  EXPECT_TRUE(metrics.find("fan.serial")->is_of_machine);
}

TEST(Metrics, ListTheValuesOfTheirLabels) {
  const auto metrics = table(R"({"fan": "component", "level": ["low", "high"]})");
  const auto labels = metrics.labels_of(*metrics.find("fan.speed"));
  EXPECT_EQ(labels.at("level"), (std::vector<std::string>{"low", "high"}));
  EXPECT_TRUE(labels.at("fan").empty()) << "any";
}

TEST(Metrics, RefuseALabelThatIsNeitherAListNorAComponent) {
  EXPECT_THROW(table(R"({"fan": "componant"})"), UsageError);
}

// Peers are told apart by these; one that is dropped makes every GPU a kind of its own.
TEST(Metrics, ThoseOfMusterNameItsComponents) {
  for (const auto* label : {"gpu", "nic", "port", "drive", "pci", "rank", "numa", "rail", "partner", "interface"})
    EXPECT_TRUE(known_metrics().names_component(label, "0")) << label;
  for (const auto* label : {"operation", "size", "kernel", "link_layer"})
    EXPECT_FALSE(known_metrics().names_component(label, "0")) << label;
}

}  // namespace
}  // namespace muster::healthcheck
