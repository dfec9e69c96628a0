// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "healthcheck/catalogue/document_json.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/program/installation.hpp"

namespace muster::healthcheck {
namespace {

using results::Field;

Better read_better(const Field& field) {
  if (field.text() == "higher") return Better::higher;
  if (field.text() == "lower") return Better::lower;
  field.fail("better is higher or lower");
}

constexpr std::string_view names_a_component = "component";

// Which values a label may have: those that are listed, or any, also where they are names of components.
std::vector<std::string> read_values(const Field& field) {
  if (field.is_text()) {
    if (field.text() != names_a_component) field.fail("a label is a list of values, or component");
    return {};
  }
  std::vector<std::string> values;
  for (const Field& value : field.items()) values.push_back(value.text());
  return values;
}

Metric read_metric(const Field& field) {
  field.object({"metric", "unit", "better", "meaning", "lasting", "of_machine", "labels"});
  Metric metric{.name = filled_text(field.at("metric")),
                .unit = std::nullopt,
                .better = std::nullopt,
                .meaning = filled_text(field.at("meaning")),
                .labels = std::nullopt};
  if (const auto labels = field.find("labels")) {
    metric.labels.emplace();
    for (const auto& [name, values] : labels->members()) (*metric.labels)[name] = read_values(values);
  }
  if (field.at("unit").text() != "text") metric.unit = read_unit(field.at("unit"));
  if (const auto better = field.find("better")) metric.better = read_better(*better);
  if (const auto lasting = field.find("lasting")) metric.is_lasting = lasting->flag();
  if (const auto own = field.find("of_machine")) metric.is_of_machine = own->flag();
  return metric;
}

}  // namespace

Metrics::Metrics(const std::filesystem::path& file) {
  Document(file).read([this](const Field& root) {
    for (const Field& item : root.items()) {
      metrics_.push_back(read_metric(item));
      if (const auto labels = item.find("labels"))
        for (const auto& [name, values] : labels->members())
          if (values.is_text()) components_.insert(name);
      if (find(metrics_.back().name) != &metrics_.back())
        item.at("metric").fail("this metric is there twice; remove one");
    }
  });
}

const Metric* Metrics::find(std::string_view name) const {
  const auto found = std::ranges::find(metrics_, name, &Metric::name);
  return found == metrics_.end() ? nullptr : &*found;
}

std::optional<Better> Metrics::better(std::string_view name, results::Unit unit) const {
  const Metric* metric = find(name);
  return metric == nullptr || metric->unit != unit ? std::nullopt : metric->better;
}

std::map<std::string, std::vector<std::string>, std::less<>> Metrics::labels_of(const Metric& metric) const {
  std::map<std::string, std::vector<std::string>, std::less<>> labels = {{"host", {}}};
  if (metric.labels) labels.insert(metric.labels->begin(), metric.labels->end());
  const auto check = metric.name.substr(0, metric.name.find('.') + 1);
  for (const auto& other : metrics_)
    if (other.labels && other.name.starts_with(check))
      for (const auto& [name, values] : *other.labels) labels.try_emplace(name);
  return labels;
}

const Metrics& known_metrics() {
  static const Metrics metrics(installation().metrics);
  return metrics;
}

std::vector<std::string> Metrics::checks() const {
  std::set<std::string> checks;
  for (const auto& metric : metrics_) checks.emplace(results::check_of(metric.name));
  return {checks.begin(), checks.end()};
}

std::vector<std::string> Metrics::names() const {
  std::vector<std::string> names;
  for (const auto& metric : metrics_) names.push_back(metric.name);
  return names;
}

}  // namespace muster::healthcheck
