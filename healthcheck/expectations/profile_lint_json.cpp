// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "healthcheck/catalogue/document_json.hpp"
#include "healthcheck/expectations/expectation_json.hpp"
#include "healthcheck/expectations/profile_lint.hpp"
#include "healthcheck/program/error.hpp"
#include "results/strings/suggest.hpp"

namespace muster::healthcheck {
namespace {

using results::Field;
using results::Quantity;
using results::Unit;

// In the place of an entry, where it is enough to know that something is wrong with it.
struct SomeEntry {
  SomeEntry at(std::string_view /*name*/) const { return {}; }
  bool find(std::string_view /*name*/) const { return true; }
  [[noreturn]] void fail(const std::string& what) const { throw results::Error(what); }
};

class Lint {
  using Labels = std::map<std::string, std::vector<std::string>, std::less<>>;  // and the values of each

 public:
  Lint(const std::filesystem::path& file, const Metrics& metrics, const Faults& faults)
      : document_(file), metrics_(metrics), faults_(faults), checks_(metrics.checks()) {}

  // The profile, where nothing is wrong with it; without a look at each entry on its own, which takes longer.
  std::optional<Profile> clean() {
    try {
      auto profile = read_profile(document_);
      for (const Expectation& expectation : profile.expectations) inspect(SomeEntry(), expectation);
      return profile;
    } catch (const UsageError&) {
      return std::nullopt;
    } catch (const results::Error&) {
      return std::nullopt;
    }
  }

  std::vector<std::string> findings() {
    if (clean()) return {};
    note([&] {
      document_.read([&](const Field& root) {
        each(root, "expectations", read_check_expectation);
        each(root, "evidence", read_evidence_expectation);
      });
    });
    if (findings_.size() < max_findings)
      note([&] { read_profile(document_); });  // and what concerns the file as a whole, and those it extends
    return std::move(findings_);
  }

 private:
  void note(const std::function<void()>& read) {
    try {
      read();
    } catch (const UsageError& error) {
      if (told_.emplace(error.what()).second) findings_.emplace_back(error.what());
    }
  }

  // Each entry of a list on its own, so that one that is wrong hides no other.
  void each(const Field& root, std::string_view list, Expectation (*read)(const Field&)) {
    const auto entries = root.find(list);
    if (!entries) return;
    for (const Field& entry : entries->items()) {
      if (findings_.size() >= max_findings) return;
      note([&] { document_.read([&](const Field&) { inspect(entry, read(entry)); }); });
    }
  }

  template <typename Entry>
  void inspect(const Entry& entry, const Expectation& expectation) {
    const Metric* metric = metrics_.find(expectation.metric);
    if (metric == nullptr)
      entry.at("metric").fail(fmt::format("no check measures '{}'.{} muster explain lists all", expectation.metric,
                                          results::suggestion(expectation.metric, metrics_.names())));
    const auto owner = results::check_of(expectation.metric);
    const bool is_of_another = !expectation.check.empty() && owner != expectation.check;
    if (is_of_another && std::ranges::find(checks_, expectation.check) == checks_.end())
      entry.at("check").fail(fmt::format("there is no check '{}'.{} muster list names all", expectation.check,
                                         results::suggestion(expectation.check, checks_)));
    if (is_of_another) entry.at("check").fail(fmt::format("{} is a fact of the check {}", expectation.metric, owner));
    inspect_unit(entry, expectation.bound, *metric);
    inspect_direction(entry, expectation.bound, *metric);
    inspect_labels(entry, expectation.labels, *metric);
    if (expectation.fault_label.empty() && faults_.find(expectation.fault) == nullptr) {
      std::vector<std::string> codes;
      for (const Fault& fault : faults_.all()) codes.push_back(fault.code);
      entry.at("fault").fail(fmt::format("there is no fault '{}'.{} muster explain lists all", expectation.fault,
                                         results::suggestion(expectation.fault, codes)));
    }
  }

  template <typename Entry>
  void inspect_labels(const Entry& entry, const results::Labels& labels, const Metric& metric) {
    if (!metric.labels) return;
    const auto& all = labels_of(metric);
    std::vector<std::string> names;
    for (const auto& [name, values] : all) names.push_back(name);
    for (const auto& [name, wanted] : labels) {
      const auto known = all.find(name);
      if (known == all.end())
        entry.at("labels").fail(fmt::format("{} has no label '{}'.{} It has {}", metric.name, name,
                                            results::suggestion(name, names), fmt::join(names, ", ")));
      const auto& values = known->second;
      if (!values.empty() && std::ranges::find(values, wanted) == values.end())
        entry.at("labels").fail(fmt::format("{} of {} is never '{}'.{} It is one of {}", name, metric.name, wanted,
                                            results::suggestion(wanted, values), fmt::join(values, ", ")));
    }
  }

  // Of each metric looked up once: a profile may have thousands of expectations of one.
  const Labels& labels_of(const Metric& metric) {
    const auto [at, is_new] = labels_.try_emplace(metric.name);
    if (is_new) at->second = metrics_.labels_of(metric);
    return at->second;
  }

  template <typename Entry>
  static void inspect_unit(const Entry& entry, const Bound& bound, const Metric& metric) {
    const auto unit_of = [](Unit unit) { return std::string(results::symbol(unit)); };
    const auto refuse = [&](std::string_view field, const std::string& found) {
      entry.at(field).fail(fmt::format("{} is measured {}, not {}", metric.name,
                                       metric.unit ? "in " + unit_of(*metric.unit) : "as a text", found));
    };
    switch (bound.kind) {
      case BoundKind::equals:
      case BoundKind::one_of:
      case BoundKind::majority:
        for (const auto& value : bound.values) {
          const auto* number = std::get_if<Quantity>(&value);
          const std::string_view field = bound.kind == BoundKind::equals ? "value" : "values";
          if (number == nullptr && metric.unit) refuse(field, "as a text");
          if (number != nullptr && metric.unit != number->unit) refuse(field, "in " + unit_of(number->unit));
        }
        break;
      case BoundKind::efficiency:
      case BoundKind::peers:
        if (!metric.unit) refuse("bound", "as a number");
        break;
      case BoundKind::at_least:
      case BoundKind::at_most:
      case BoundKind::within:
      case BoundKind::no_change:
        if (metric.unit != bound.unit) refuse(entry.find("unit") ? "unit" : "bound", "in " + unit_of(bound.unit));
        break;
    }
  }

  template <typename Entry>
  static void inspect_direction(const Entry& entry, const Bound& bound, const Metric& metric) {
    const auto refuse = [&](std::string_view what) { entry.at("bound").fail(metric.name + ": " + std::string(what)); };
    if (bound.kind == BoundKind::at_most && metric.better == Better::higher)
      refuse("more of it is better; expect at_least");
    if ((bound.kind == BoundKind::at_least || bound.kind == BoundKind::efficiency) && metric.better == Better::lower)
      refuse("less of it is better; expect at_most");
    if (bound.kind == BoundKind::peers && !metric.better)
      refuse("neither more nor less of it is better, so that no peer is worse");
  }

  Document document_;
  const Metrics& metrics_;
  const Faults& faults_;
  std::vector<std::string> checks_;
  std::vector<std::string> findings_;
  std::set<std::string> told_;
  std::map<std::string, Labels> labels_;  // of metrics
};

}  // namespace

std::vector<std::string> lint_profile(const std::filesystem::path& file, const Metrics& metrics, const Faults& faults) {
  try {
    return Lint(file, metrics, faults).findings();
  } catch (const UsageError& error) {  // it is no JSON at all
    return {error.what()};
  }
}

Profile read_clean(const Choice& choice, const Installation& installed, const Faults& faults) {
  auto profile = choice.read([&](const std::filesystem::path& file) {
    if (std::filesystem::absolute(file).parent_path() == installed.profiles) return read_profile(file);
    Lint lint(file, known_metrics(), faults);
    if (auto clean = lint.clean()) return *std::move(clean);
    const auto findings = lint.findings();
    const auto more = findings.size() - 1;
    throw UsageError(more == 0
                         ? findings.front()
                         : fmt::format("{}; and {} more, which muster profile lint names", findings.front(), more));
  });
  validate(profile, faults);
  return profile;
}

std::optional<Distance> distance(const Expectation& expectation) {
  const Bound& bound = expectation.bound;
  const bool has_thresholds =
      bound.kind == BoundKind::at_least || bound.kind == BoundKind::at_most || bound.kind == BoundKind::efficiency;
  if (!has_thresholds || bound.pass <= 0 || bound.fail <= 0) return std::nullopt;
  Distance apart{.logarithm = std::abs(std::log(bound.pass / bound.fail)), .noises = std::nullopt};
  if (expectation.noise) apart.noises = apart.logarithm / *expectation.noise;
  return apart;
}

}  // namespace muster::healthcheck
