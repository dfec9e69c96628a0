// SPDX-License-Identifier: Apache-2.0
#include "results/render/formats.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <random>

#include "results/strings/utf8.hpp"
#include "tests/results/random_report.hpp"

namespace muster::results {
namespace {

TEST(Formats, AnyReportHasEachOfThem) {
  std::mt19937_64 random(51);
  for (int i = 0; i < 100; ++i) {
    const auto report = tests::random_report(random, {.broken_text = true});
    for (const auto& name : format_names()) {
      View view;
      view.redact = i % 2 == 1;
      const auto text = rendered(name, report, view);
      EXPECT_FALSE(text.empty());
      if (name == "csv" || name == "ticket" || name == "openmetrics")
        for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
          const auto line = text.substr(at, text.find('\n', at) - at);
          EXPECT_EQ(printable(line.substr(0, line.find('\r'))), line.substr(0, line.find('\r'))) << name;
        }
      if (name == "junit") EXPECT_TRUE(pugi::xml_document().load_string(text.c_str()));
      if (name == "ctrf") EXPECT_TRUE(nlohmann::json::accept(text));
    }
  }
}

TEST(Formats, AFileBeginsAsItsFormatSays) {
  EXPECT_NE(format_of("json").begins, "");
  std::mt19937_64 random(51);
  for (int i = 0; i < 20; ++i) {
    const auto report = tests::random_report(random, {});
    for (const auto& name : format_names())
      EXPECT_TRUE(rendered(name, report, {}).starts_with(format_of(name).begins)) << name;
  }
}

}  // namespace
}  // namespace muster::results
