// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/expectations/profile.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "healthcheck/program/error.hpp"
#include "results/system/file.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

const std::string origin = R"("fault": "f", "source": "s", "date": "2026-11-21")";

// A profile whose only expectation, on line 4, has these fields.
std::string profile_of(const std::string& fields) {
  return "{\n\"name\": \"p\", \"description\": \"d\",\n\"expectations\": [\n{\"check\": \"c\", \"metric\": \"c.m\", " +
         fields + "}\n]}\n";
}

// What reading the text says, without the folder.
std::string refusal_of_profile(const std::string& text) {
  const tests::TemporaryFolder folder;
  folder.write("p.json", text);
  folder.write("circle.json", R"({"name": "circle", "description": "d", "extends": "p", "expectations": []})");
  try {
    read_profile(folder.path() / "p.json");
  } catch (const UsageError& error) {
    const std::string what = error.what();
    const std::string prefix = folder.path().string() + "/";
    return what.starts_with(prefix) ? what.substr(prefix.size()) : what;
  }
  return "accepted";
}

struct Faulty {
  std::string text;
  std::string said;  // what the refusal starts with
};

void PrintTo(const Faulty& faulty, std::ostream* out) { *out << faulty.said; }

class FaultyProfile : public testing::TestWithParam<Faulty> {};

TEST_P(FaultyProfile, IsRefusedWithFileLineAndField) {
  EXPECT_TRUE(refusal_of_profile(GetParam().text).starts_with(GetParam().said)) << refusal_of_profile(GetParam().text);
}

const std::string forty_firsts = [] {
  std::string pointer;
  for (int depth = 0; depth < 40; ++depth) pointer += "/0";
  return pointer;
}();

const std::string lower_bound = R"("bound": "at_least", "unit": "B/s", "pass": 2, "fail": 1, )";

INSTANTIATE_TEST_SUITE_P(
    List, FaultyProfile,
    testing::Values(
        Faulty{"{\n\"name\": \"p\",\n", "p.json:2: this is not JSON"}, Faulty{"", "p.json:1: this is not JSON"},
        Faulty{"[]", "p.json:1: /: must be an object, not array"},
        Faulty{"{\"name\": \"p\",\n\"description\": \"d\"}", "p.json:1: /: the field 'expectations' is missing"},
        Faulty{"{\"name\": \"p\",\n\"nmae\": \"d\"}", "p.json:2: /nmae: there is no such field"},
        Faulty{"{\"name\": \"p\",\n\"name\": \"q\"}", "p.json:2: /name: the field is there twice"},
        Faulty{"{\n\"name\": " + std::string(40, '[') + R"({"a": 1, "a": 2})" + std::string(40, ']') + "}",
               "p.json:2: /name" + forty_firsts + "/a: the field is there twice"},
        Faulty{"\xef\xbb\xbf{\"name\": \"p\"}", "p.json:1: this is not JSON: it begins with a byte order mark"},
        Faulty{std::string("{\"name\": \"p\"}\n\0 garbage", 23), "p.json:2: this is not JSON: it has a NUL in it"},
        Faulty{"{\n\"name\": 123456789012345678901}", "p.json:2: this is not JSON: the whole number"},
        Faulty{"{\"name\": 7}", "p.json:1: /name: must be a text, not number"},
        Faulty{profile_of(lower_bound + origin + R"(, "passs": 3)"),
               "p.json:4: /expectations/0/passs: there is no such field"},
        Faulty{profile_of(lower_bound + R"("fault": "f", "date": "2026-11-21")"),
               "p.json:4: /expectations/0: the field 'source' is missing"},
        Faulty{profile_of(lower_bound + R"("fault": "f", "source": "s")"),
               "p.json:4: /expectations/0: the field 'date' is missing"},
        Faulty{profile_of(lower_bound + R"("source": "s", "date": "2026-11-21")"),
               "p.json:4: /expectations/0: the field 'fault' is missing"},
        Faulty{profile_of(lower_bound + R"("fault": "f", "source": "", "date": "2026-11-21")"),
               "p.json:4: /expectations/0/source: must not be empty"},
        Faulty{profile_of(lower_bound + R"("fault": "f", "source": "s", "date": "last week")"),
               "p.json:4: /expectations/0/date: 'last week' is not a date"},
        Faulty{profile_of(R"("bound": "at_least", "unit": "B/s", "pass": 1, "fail": 2, )" + origin),
               "p.json:4: /expectations/0/pass: the thresholds are crossed"},
        Faulty{profile_of(R"("bound": "at_most", "unit": "s", "pass": 2, "fail": 1, )" + origin),
               "p.json:4: /expectations/0/pass: the thresholds are crossed"},
        Faulty{profile_of(R"("bound": "within", "unit": "B", "pass": [1, 5], "fail": [2, 6], )" + origin),
               "p.json:4: /expectations/0/pass: the thresholds are crossed"},
        Faulty{profile_of(R"("bound": "within", "unit": "B", "pass": [5, 1], "fail": [0, 6], )" + origin),
               "p.json:4: /expectations/0/pass: low is above high"},
        Faulty{profile_of(R"("bound": "efficiency", "pass": 1.2, "fail": 0.5, )" + origin),
               "p.json:4: /expectations/0/pass: 1.2 is not a share"},
        Faulty{profile_of(R"("bound": "no_change", "pass": 5, "fail": 1, )" + origin),
               "p.json:4: /expectations/0/fail: the thresholds are crossed"},
        Faulty{profile_of(R"("bound": "at_lest", "unit": "B/s", "pass": 2, "fail": 1, )" + origin),
               "p.json:4: /expectations/0/bound: 'at_lest' is not one of at_least"},
        Faulty{profile_of(R"("bound": "at_least", "unit": "GB/s", "pass": 2, "fail": 1, )" + origin),
               "p.json:4: /expectations/0/unit: 'GB/s' is not one of 1, B, B/s"},
        Faulty{profile_of(lower_bound + origin + R"(, "tier": "soak")"),
               "p.json:4: /expectations/0/tier: 'soak' is not one of"},
        Faulty{profile_of(lower_bound + origin + R"(, "severity": "pass")"),
               "p.json:4: /expectations/0/severity: 'pass' is not one of fail, unknown, warn"},
        Faulty{profile_of(lower_bound + origin + R"(, "noise": 3)"),
               "p.json:4: /expectations/0/noise: 3 is not a share"},
        Faulty{profile_of(lower_bound + origin + R"(, "count": 0)"),
               "p.json:4: /expectations/0/count: 0 is not a whole number"},
        Faulty{profile_of(lower_bound + origin + R"(, "optional": "yes")"),
               "p.json:4: /expectations/0/optional: must be true or false"},
        Faulty{profile_of(R"("bound": "at_least", "unit": "B/s", "pass": "2", "fail": 1, )" + origin),
               "p.json:4: /expectations/0/pass: must be a number, not string"},
        Faulty{profile_of(R"("bound": "at_least", "unit": "B/s", "pass": 2, )" + origin),
               "p.json:4: /expectations/0: the field 'fail' is missing"},
        Faulty{profile_of(R"("bound": "peers", "pass": 2, )" + origin),
               "p.json:4: /expectations/0/pass: an expectation of the kind peers takes no such field"},
        Faulty{profile_of(R"("bound": "one_of", "values": [], )" + origin),
               "p.json:4: /expectations/0/values: must hold at least one value"},
        Faulty{profile_of(lower_bound + origin + "},\n{\"check\": \"c\", \"metric\": \"c.m\", " + lower_bound + origin),
               "p.json:5: /expectations/1: the same check, metric, labels and bound"},
        Faulty{"{\"name\": \"p\", \"description\": \"d\",\n\"extends\": \"nobody\", \"expectations\": []}",
               "p.json:2: /extends: there is no profile 'nobody'"},
        Faulty{"{\"name\": \"p\", \"description\": \"d\",\n\"extends\": \"p\", \"expectations\": []}",
               "p.json:2: /extends: 'p' extends this profile in turn"},
        Faulty{"{\"name\": \"p\", \"description\": \"d\",\n\"extends\": \"circle\", \"expectations\": []}",
               "circle.json:1: /extends: 'p' extends this profile in turn"},
        Faulty{
            "{\"name\": \"p\", \"description\": \"d\", \"expectations\": [],\n\"evidence\": [{\"metric\": \"a.b\", " +
                lower_bound + origin + "}]}",
            "p.json:2: /evidence/0/bound: evidence takes no_change only"},
        Faulty{"{\"name\": \"p\", \"description\": \"d\", \"expectations\": [],\n\"evidence\": [{\"metric\": \"a.b\", "
               "\"bound\": \"no_change\", \"unit\": \"Hz\", \"pass\": 1, " +
                   origin + "}]}",
               "p.json:2: /evidence/0/unit: evidence counts; remove this field"},
        Faulty{"{\"name\": \"p\", \"description\": \"d\", \"expectations\": [],\n\"match\": {\"gpu_count\": -1}}",
               "p.json:2: /match/gpu_count: -1 is not a whole number"},
        Faulty{
            "{\"name\": \"p\", \"description\": \"d\", \"expectations\": [],\n\"scratch_mounts\": [\"/a\",\n\"b/c\"]}",
            "p.json:3: /scratch_mounts/1: must be a folder's full name"},
        Faulty{"{\"name\": \"p\", \"description\": \"d\", \"expectations\": [], \"scratch_mounts\": [\"/a/\"]}",
               "p.json:1: /scratch_mounts/0: must be a folder's full name"},
        Faulty{"{\"name\": \"p\", \"description\": \"d\", \"expectations\": [\n{\"check\": \"c\",\n\"metric\": \"m\",\n"
               "\"bound\": \"at_least\", \"unit\": \"B\",\n\"pass\": 1,\n\"fail\":\n2, " +
                   origin + "}]}",
               "p.json:5: /expectations/0/pass: the thresholds are crossed"}));

TEST(Profile, EveryKindOfBoundIsRead) {
  EXPECT_EQ(refusal_of_profile(profile_of(lower_bound + origin)), "accepted");
  EXPECT_EQ(refusal_of_profile(profile_of(R"("bound": "at_most", "unit": "s", "pass": 1, "fail": 1, )" + origin)),
            "accepted");
  EXPECT_EQ(
      refusal_of_profile(profile_of(R"("bound": "within", "unit": "B", "pass": [2, 3], "fail": [1, 4], )" + origin)),
      "accepted");
  EXPECT_EQ(refusal_of_profile(profile_of(R"("bound": "equals", "value": "LinkUp", )" + origin)), "accepted");
  EXPECT_EQ(refusal_of_profile(profile_of(R"("bound": "one_of", "unit": "Hz", "values": [1, 2], )" + origin)),
            "accepted");
  EXPECT_EQ(refusal_of_profile(profile_of(R"("bound": "efficiency", "pass": 0.8, "fail": 0.7, )" + origin)),
            "accepted");
  EXPECT_EQ(refusal_of_profile(profile_of(R"("bound": "peers", "noise": 0.01, )" + origin)), "accepted");
  EXPECT_EQ(refusal_of_profile(profile_of(R"("bound": "majority", )" + origin)), "accepted");
  EXPECT_EQ(refusal_of_profile(profile_of(R"("bound": "majority", "values": ["ACTIVE"], )" + origin)), "accepted");
  EXPECT_EQ(refusal_of_profile(profile_of(R"("bound": "no_change", )" + origin)), "accepted");
}

TEST(Profile, AnExtendingProfileReplacesWhatItExpectsAndInheritsTheRest) {
  const tests::TemporaryFolder folder;
  const auto expectation = [](const std::string& metric, int pass) {
    return R"({"check": "c", "metric": ")" + metric + R"(", "bound": "at_least", "unit": "B", "pass": )" +
           std::to_string(pass) + R"(, "fail": 1, )" + origin + "}";
  };
  folder.write("base.json", R"({"name": "base", "description": "d", "match": {"gpu_count": 8},
    "scratch_mounts": ["/fast", "/faster"], "information": {"c": "why", "e": "why"}, "expectations": [)" +
                                expectation("c.one", 2) + "," + expectation("c.two", 2) + "]}");
  folder.write("own.json", R"({"name": "own", "description": "d", "extends": "base", "information": {"c": "because"},
    "expectations": [)" + expectation("c.two", 9) +
                               "]}");
  const auto base = read_profile(folder.path() / "base.json");
  const auto own = read_profile(folder.path() / "own.json");
  ASSERT_EQ(own.expectations.size(), 2u);
  EXPECT_EQ(own.expectations[0], base.expectations[0]);
  EXPECT_EQ(own.expectations[1].bound.pass, 9);
  EXPECT_FALSE(own.match.gpu_count) << "rules tell one kind of machine and are not inherited";
  EXPECT_EQ(own.information.at("c"), "because");
  EXPECT_EQ(own.information.at("e"), "why");
  EXPECT_EQ(own.scratch_mounts, (std::vector<std::string>{"/fast", "/faster"}));

  folder.write("base.json", results::read_text(folder.path() / "base.json") + "\n");
  EXPECT_NE(read_profile(folder.path() / "own.json").sha256, own.sha256) << "the hash is of the extended file too";
}

// As many expectations of metrics of their own, one to a line from line 2 on.
std::string profile_of_many(std::size_t count) {
  std::string text = R"({"name": "p", "description": "d", "expectations": [)";
  for (std::size_t number = 0; number < count; ++number)
    text += fmt::format(R"({}{{"check": "c", "metric": "c.m{}", {}{}}})", number == 0 ? "\n" : ",\n", number,
                        lower_bound, origin);
  return text + "]}\n";
}

TEST(Profile, OfManyExpectationsNoneReplacesAnother) {
  const tests::TemporaryFolder folder;
  folder.write("p.json", profile_of_many(20'000));
  EXPECT_EQ(read_profile(folder.path() / "p.json").expectations.size(), 20'000U);
}

TEST(Profile, TheSameExpectationTwiceIsRefusedWhereItIsAgain) {
  auto text = profile_of_many(20);
  text.replace(text.find("c.m19"), 5, "c.m7");
  EXPECT_EQ(refusal_of_profile(text),
            "p.json:21: /expectations/19: the same check, metric, labels and bound are expected above already; "
            "remove one");
}

TEST(Profile, TheTableOfMetricsSaysWhichOfPeersIsBetter) {
  const auto better = [](const std::string& metric, const std::string& bound) {
    const tests::TemporaryFolder folder;
    auto text = profile_of(fmt::format(R"("bound": "{}", {})", bound, origin));
    folder.write("p.json", text.replace(text.find("c.m"), 3, metric));
    return read_profile(folder.path() / "p.json").expectations[0].better;
  };
  EXPECT_EQ(better("host_memory.bandwidth", "peers"), Better::higher);
  EXPECT_EQ(better("gpu_state.temperature", "peers"), Better::lower);
  EXPECT_EQ(better("gpu_state.power", "peers"), std::nullopt);
  EXPECT_EQ(better("ib_link.rate", "majority"), Better::higher);
}

TEST(Profile, ThoseForH200ReplaceWhatDiffers) {
  const auto folder = tests::source_folder() / "healthcheck/profiles";
  const auto h100 = read_profile(folder / "nd96isr_h100_v5.json");
  const auto h200 = read_profile(folder / "nd96isr_h200_v5.json");
  EXPECT_EQ(h200.expectations.size(), h100.expectations.size()) << "none is expected twice, by other labels";
}

TEST(Profile, ItsJsonReadsBackAsItself) {
  const auto shipped = read_profile(tests::source_folder() / "healthcheck/profiles/nd96isr_h100_v5.json");
  const tests::TemporaryFolder folder;
  folder.write("again.json", to_json(shipped, ""));
  const auto again = read_profile(folder.path() / "again.json");
  EXPECT_EQ(again.name, shipped.name);
  EXPECT_EQ(again.information, shipped.information);
  EXPECT_EQ(again.scratch_mounts, shipped.scratch_mounts);
  EXPECT_EQ(again.match.nic_rate_bits_per_second, shipped.match.nic_rate_bits_per_second);
  for (const auto& expectation : shipped.expectations)
    EXPECT_NE(std::ranges::find(again.expectations, expectation), again.expectations.end()) << expectation.metric;
  EXPECT_EQ(again.expectations.size(), shipped.expectations.size());
}

TEST(Profile, AFaultThatTheTableDoesNotHaveIsRefusedWithTheNearest) {
  Profile profile;
  profile.name = "p";
  profile.expectations.resize(1);
  profile.expectations[0].metric = "c.m";
  profile.expectations[0].fault = "gpu_lots";
  const Faults faults(tests::source_folder() / "healthcheck" / "faults.json");
  try {
    validate(profile, faults);
    FAIL() << "was accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("'gpu_lots', which is not in the table. Did you mean 'gpu_lost'?"),
              std::string::npos)
        << error.what();
  }
}

std::vector<std::filesystem::path> shipped_profiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(tests::source_folder() / "healthcheck" / "profiles"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  return files;
}

TEST(ShippedProfiles, AllLoadAndNameOnlyFaultsOfTheTable) {
  const auto folder = tests::source_folder() / "healthcheck";
  const Faults faults(folder / "faults.json");
  std::size_t number = 0;
  for (const auto& file : shipped_profiles()) {
    const auto profile = read_profile(file);
    EXPECT_NO_THROW(validate(profile, faults)) << file;
    EXPECT_EQ(profile.name, file.stem().string()) << "is found by its name";
    EXPECT_EQ(profile.sha256.size(), 64u);
    ++number;
  }
  EXPECT_GE(number, 2u);
}

TEST(ShippedProfiles, EveryMetricStartsWithItsCheck) {
  for (const auto& file : shipped_profiles())
    for (const auto& expectation : read_profile(file).expectations)
      EXPECT_TRUE(expectation.check.empty() || expectation.metric.starts_with(expectation.check + "."))
          << expectation.metric;
}

}  // namespace
}  // namespace muster::healthcheck
