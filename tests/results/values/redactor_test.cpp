// SPDX-License-Identifier: Apache-2.0
#include "results/values/redactor.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/json/report_json.hpp"
#include "tests/results/random_report.hpp"
#include "tests/support/files.hpp"

namespace muster::results {
namespace {

TEST(Redactor, TakesAddressesOutByTheirLooks) {
  Redactor redact;
  EXPECT_EQ(redact("10.0.0.1:80, 10.0.0.1 and 10.0.0.2/24."), "address-1:80, address-1 and address-2/24.");
  EXPECT_EQ(redact("fe80::1%eth0 02:42:ac:11:00:02"), "address-3%eth0 address-4");
  EXPECT_EQ(redact("GPU-12345678-1234-1234-1234-123456789abc"), "uuid-1");
  EXPECT_EQ(redact("guid 0015:5dff:fe33:ff05"), "guid guid-1");
  EXPECT_EQ(redact("/home/alice/report.json"), "/home/user/report.json");
}

TEST(Redactor, LeavesWhatIsAlikeOnAllMachines) {
  Redactor redact;
  redact.learn("host", "gpu-1");
  for (const std::string text : {"pci 0106:00:00.0", "at 12:30:45", "muster 0.1.0", "6.18.44", "gpu 1", "gpu-10",
                                 "mlx5_ib3", "2026-11-21T02:50:10.123Z"})
    EXPECT_EQ(redact(text), text);
}

TEST(Redactor, TakesNamesOutWhereverTheyStand) {
  Redactor redact;
  redact.learn("host", "gpu-1.example.com");
  redact.learn("serial", "S123");
  redact.learn("host", "1");
  EXPECT_EQ(redact("gpu-1: S123 of gpu-1.example.com and gpu-1-ib0, 1 time"),
            "host-1: serial-1 of host-1 and host-1-ib0, 1 time");
  EXPECT_EQ(redact.name("1"), "host-2");
  EXPECT_EQ(redact.labels({{"host", "1"}, {"numa", "1"}}), (Labels{{"host", "host-2"}, {"numa", "1"}}));
}

TEST(Redactor, AReportStaysAReport) {
  for (const auto* name : {"fail", "gpu", "pass", "skip", "unknown", "warn"}) {
    const auto report = read_report(tests::source_folder() / "results/examples" / fmt::format("{}.json", name));
    const auto made = redacted(report);
    EXPECT_NO_THROW(report_from_json(to_json(made))) << name;
    EXPECT_EQ(made.status, report.status);
    for (const auto& host : report.hosts)
      for (const auto& other : made.hosts) EXPECT_NE(host.name, other.name);
  }
}

TEST(Redactor, AnyReportStaysAReport) {
  std::mt19937_64 random(51);
  for (int i = 0; i < 200; ++i) {
    const auto report = tests::random_report(random, {});
    std::string json;
    try {
      json = to_json(report);
      report_from_json(json);
    } catch (const std::exception&) {
      continue;  // not every random report is one
    }
    EXPECT_NO_THROW(report_from_json(to_json(redacted(report))));
  }
}

}  // namespace
}  // namespace muster::results
