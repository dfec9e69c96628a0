// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "healthcheck/document_json.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/installation.hpp"
#include "healthcheck/profile.hpp"
#include "results/file.hpp"

namespace muster::healthcheck {
namespace {

using results::Field;
using Names = std::initializer_list<std::string_view>;

results::Unit read_unit(const Field& field) {
  return field.one_of(results::unit_from, results::symbol, results::Unit::celsius);
}

results::Labels read_labels(const Field& field) {
  results::Labels labels;
  for (const auto& [name, value] : field.members()) labels[name] = filled_text(value);
  return labels;
}

results::Interval read_range(const Field& field) {
  const auto edges = field.items();
  if (edges.size() != 2) field.fail("must be [low, high]");
  const results::Interval range{edges[0].number(), edges[1].number()};
  if (range.low > range.high) field.fail("low is above high; exchange them");
  return range;
}

results::Value read_value(const Field& field, results::Unit unit) {
  if (field.is_text()) return filled_text(field);
  return results::Quantity{field.number(), unit};
}

// Of the fields that decide, a kind of bound takes some; another would be read by nobody.
void take_only(const Field& field, BoundKind kind, Names taken) {
  for (const std::string_view name : {"unit", "pass", "fail", "value", "values"})
    if (const auto extra = field.find(name); extra && std::ranges::find(taken, name) == taken.end())
      extra->fail(fmt::format("an expectation of the kind {} takes no such field; remove it", to_text(kind)));
}

void read_edges(const Field& field, Bound& bound, bool higher_is_better) {
  bound.pass = field.at("pass").number();
  bound.fail = field.at("fail").number();
  if (higher_is_better ? bound.pass < bound.fail : bound.pass > bound.fail)
    field.at("pass").fail(fmt::format("the edges are crossed: pass {} must not be {} fail {}", bound.pass,
                                      higher_is_better ? "below" : "above", bound.fail));
}

void read_shares(const Field& field, Bound& bound) {
  read_edges(field, bound, true);
  for (const std::string_view name : {"pass", "fail"})
    if (const double share = field.at(name).number(); share <= 0 || share > 1)
      field.at(name).fail(fmt::format("{} is not a share of the physical limit; give one above 0 and up to 1", share));
}

void read_ranges(const Field& field, Bound& bound) {
  bound.pass_range = read_range(field.at("pass"));
  bound.fail_range = read_range(field.at("fail"));
  if (bound.pass_range.low < bound.fail_range.low || bound.pass_range.high > bound.fail_range.high)
    field.at("pass").fail("the edges are crossed: the range of pass must lie within that of fail");
}

void read_growth(const Field& field, Bound& bound) {
  if (const auto pass = field.find("pass")) bound.pass = pass->number();
  bound.fail = bound.pass;
  if (const auto fail = field.find("fail")) bound.fail = fail->number();
  if (bound.pass < 0) field.at("pass").fail("a counter cannot grow by less than 0");
  if (bound.pass > bound.fail) field.at("fail").fail("the edges are crossed: pass must not be above fail");
}

Bound read_bound(const Field& field) {
  Bound bound;
  bound.kind = field.at("bound").one_of(
      bound_kind_from, [](BoundKind kind) { return to_text(kind); }, BoundKind::no_change);
  if (const auto unit = field.find("unit")) bound.unit = read_unit(*unit);
  switch (bound.kind) {
    case BoundKind::at_least:
    case BoundKind::at_most:
      take_only(field, bound.kind, {"unit", "pass", "fail"});
      read_edges(field, bound, bound.kind == BoundKind::at_least);
      break;
    case BoundKind::within:
      take_only(field, bound.kind, {"unit", "pass", "fail"});
      read_ranges(field, bound);
      break;
    case BoundKind::equals:
      take_only(field, bound.kind, {"unit", "value"});
      bound.values = {read_value(field.at("value"), bound.unit)};
      break;
    case BoundKind::one_of:
      take_only(field, bound.kind, {"unit", "values"});
      for (const Field& value : field.at("values").items()) bound.values.push_back(read_value(value, bound.unit));
      if (bound.values.empty()) field.at("values").fail("must hold at least one value");
      break;
    case BoundKind::efficiency:
      take_only(field, bound.kind, {"pass", "fail"});
      read_shares(field, bound);
      break;
    case BoundKind::no_change:
      take_only(field, bound.kind, {"pass", "fail"});
      read_growth(field, bound);
      break;
    case BoundKind::peers:
    case BoundKind::majority:
      take_only(field, bound.kind, {});
      break;
  }
  return bound;
}

results::Tier read_tier(const Field& field) {
  return field.one_of(
      results::tier_from, [](results::Tier tier) { return results::to_text(tier); }, results::Tier::full);
}

results::Status read_severity(const Field& field) {
  const auto status = results::status_from(field.text());
  if (status != results::Status::fail && status != results::Status::warn)
    field.fail(fmt::format("'{}' is neither fail nor warn", field.text()));
  return *status;
}

double read_noise(const Field& field) {
  const double noise = field.number();
  if (noise <= 0 || noise >= 1) field.fail(fmt::format("{} is not a share; give one between 0 and 1", noise));
  return noise;
}

std::string read_date(const Field& field) {
  std::string date = field.text();
  if (!results::is_time(date + "T00:00:00Z")) field.fail(fmt::format("'{}' is not a date like 2026-11-21", date));
  return date;
}

Expectation read_expectation(const Field& field) {
  field.object({"check", "metric", "labels", "bound", "unit", "pass", "fail", "value", "values", "tier", "severity",
                "noise", "count", "optional", "fault", "action", "source", "date"});
  Expectation expectation;
  expectation.metric = filled_text(field.at("metric"));
  if (const auto labels = field.find("labels")) expectation.labels = read_labels(*labels);
  expectation.bound = read_bound(field);
  if (const auto tier = field.find("tier")) expectation.tier = read_tier(*tier);
  if (const auto severity = field.find("severity")) expectation.severity = read_severity(*severity);
  if (const auto noise = field.find("noise")) expectation.noise = read_noise(*noise);
  if (const auto count = field.find("count")) expectation.count = count->whole_number(1, 1'000'000);
  if (const auto optional = field.find("optional")) expectation.optional = optional->flag();
  expectation.fault = filled_text(field.at("fault"));
  if (const auto action = field.find("action")) expectation.action = filled_text(*action);
  expectation.source = filled_text(field.at("source"));
  expectation.date = read_date(field.at("date"));
  return expectation;
}

Expectation read_check_expectation(const Field& field) {
  Expectation expectation = read_expectation(field);
  expectation.check = filled_text(field.at("check"));
  return expectation;
}

Expectation read_evidence_expectation(const Field& field) {
  if (const auto check = field.find("check")) check->fail("evidence is about every check; remove this field");
  Expectation expectation = read_expectation(field);
  if (expectation.bound.kind != BoundKind::no_change) field.at("bound").fail("evidence takes no_change only");
  return expectation;
}

Match read_match(const Field& field) {
  field.object({"gpu_id", "gpu_count", "nic_count", "nic_rate", "cpu_count"});
  constexpr std::size_t most = 1'000'000;
  Match match;
  if (const auto id = field.find("gpu_id")) match.gpu_id = filled_text(*id);
  if (const auto count = field.find("gpu_count")) match.gpu_count = count->whole_number(0, most);
  if (const auto count = field.find("nic_count")) match.nic_count = count->whole_number(0, most);
  if (const auto count = field.find("cpu_count")) match.cpu_count = count->whole_number(1, most);
  if (const auto rate = field.find("nic_rate")) {
    rate->object({"value", "unit"});
    if (read_unit(rate->at("unit")) != results::Unit::bit_per_second) rate->at("unit").fail("must be bit/s");
    match.nic_rate_bits_per_second = rate->at("value").number();
  }
  return match;
}

void add_expectations(Profile& profile, const Field& list, Expectation (*read)(const Field&)) {
  std::vector<Expectation> own;
  for (const Field& item : list.items()) {
    Expectation expectation = read(item);
    const auto is_same = [&](const Expectation& other) { return same_subject(expectation, other); };
    if (std::ranges::any_of(own, is_same))
      item.fail("the same check, metric, labels and bound are expected above already; remove one");
    own.push_back(expectation);
    const auto inherited = std::ranges::find_if(profile.expectations, is_same);
    if (inherited == profile.expectations.end())
      profile.expectations.push_back(std::move(expectation));
    else
      *inherited = std::move(expectation);
  }
}

// A profile and the bytes that its hash is of: those of its file and of all files it extends.
struct Loaded {
  Profile profile;
  std::string bytes;
};

std::filesystem::path place_of(const std::string& name, const std::filesystem::path& folder, const Field& field) {
  for (const auto& candidate : {folder / (name + ".json"), installation().profiles / (name + ".json")})
    if (std::filesystem::exists(candidate)) return candidate;
  field.fail(
      fmt::format("there is no profile '{}' in {} or {}", name, folder.string(), installation().profiles.string()));
}

Loaded load(const std::filesystem::path& file, std::vector<std::filesystem::path> extending);

Loaded inherited(const Field& extends, const std::filesystem::path& file,
                 std::vector<std::filesystem::path> extending) {
  const auto parent = place_of(filled_text(extends), file.parent_path(), extends);
  extending.push_back(std::filesystem::weakly_canonical(file));
  if (std::ranges::find(extending, std::filesystem::weakly_canonical(parent)) != extending.end())
    extends.fail(fmt::format("'{}' extends this profile in turn; break the circle", extends.text()));
  return load(parent, std::move(extending));
}

Loaded load(const std::filesystem::path& file, std::vector<std::filesystem::path> extending) {
  const Document document(file);
  return document.read([&](const Field& root) {
    root.object({"name", "description", "extends", "match", "information", "expectations", "evidence"});
    Loaded loaded;
    if (const auto extends = root.find("extends")) loaded = inherited(*extends, file, std::move(extending));
    Profile& profile = loaded.profile;
    loaded.bytes += document.text();
    profile.name = filled_text(root.at("name"));
    profile.description = filled_text(root.at("description"));
    profile.match = root.find("match") ? read_match(root.at("match")) : Match{};
    if (const auto information = root.find("information"))
      for (const auto& [check, reason] : information->members()) profile.information[check] = filled_text(reason);
    add_expectations(profile, root.at("expectations"), read_check_expectation);
    if (const auto evidence = root.find("evidence")) add_expectations(profile, *evidence, read_evidence_expectation);
    return loaded;
  });
}

}  // namespace

Profile read_profile(const std::filesystem::path& file) {
  Loaded loaded = load(std::filesystem::absolute(file), {});
  loaded.profile.sha256 = results::sha256(loaded.bytes);
  return std::move(loaded.profile);
}

}  // namespace muster::healthcheck
