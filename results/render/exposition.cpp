// SPDX-License-Identifier: Apache-2.0
#include "results/render/exposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "results/strings/utf8.hpp"

namespace muster::results {
namespace {

constexpr std::size_t max_label_bytes = 128;
constexpr std::size_t max_help_bytes = 512;
constexpr double bits_of_byte = 8;

// Names that Prometheus gives a meaning of its own.
constexpr std::array<std::string_view, 4> reserved_labels = {"instance", "job", "le", "quantile"};

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::one:
      break;
    case Unit::byte:
      return "bytes";
    case Unit::byte_per_second:
    case Unit::bit_per_second:
      return "bytes_per_second";
    case Unit::second:
      return "seconds";
    case Unit::hertz:
      return "hertz";
    case Unit::watt:
      return "watts";
    case Unit::celsius:
      return "celsius";
    case Unit::operation_per_second:
      return "operations_per_second";
  }
  return "";
}

// Letters of ASCII, digits and underscores.
std::string plain(std::string_view name) {
  std::string text(name);
  std::ranges::replace_if(
      text, [](unsigned char letter) { return letter >= 0x80 || std::isalnum(letter) == 0; }, '_');
  return text;
}

std::string label_name(std::string_view name) {
  const bool is_reserved = std::ranges::find(reserved_labels, name) != reserved_labels.end();
  const auto text = plain(shortened(name, max_label_bytes));
  const bool is_good = !text.empty() && !is_reserved && text.front() != '_' && std::isdigit(text.front()) == 0;
  return is_good ? text : "label_" + text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\\' || letter == '"') result += '\\';
    result += letter;
  }
  return result;
}

// Of two labels that have one name here, the first counts.
std::string label_set(const Labels& labels) {
  std::string text;
  std::unordered_set<std::string> names;
  for (const auto& [name, value] : labels) {
    const auto own = label_name(name);
    if (value.empty() || !names.insert(own).second) continue;
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", own, escaped(shortened(value, max_label_bytes)));
  }
  return text.empty() ? text : text + "}";
}

// One line, without quotes, which the two formats escape in different ways.
std::string help_line(std::string_view help) {
  auto text = shortened(help, max_help_bytes);
  std::ranges::replace(text, '"', '\'');
  std::ranges::replace(text, '\\', '/');
  return text;
}

}  // namespace

Quantity as_number(Status status) { return count(static_cast<std::size_t>(status)); }

std::string metric_family(std::string_view name, Unit unit) {
  constexpr std::string_view of_histograms = "_count";
  auto text = "muster_" + plain(shortened(name, max_label_bytes));
  if (text.ends_with(of_histograms)) text.replace(text.size() - of_histograms.size(), text.npos, "_number");
  const auto suffix = unit_name(unit);
  return suffix.empty() || text.ends_with(fmt::format("_{}", suffix)) ? text : fmt::format("{}_{}", text, suffix);
}

Exposition::Family& Exposition::family(std::string_view name, Unit unit, std::string_view help) {
  auto own = metric_family(name, unit);
  const auto [place, is_new] = places_.emplace(own, families_.size());
  if (is_new) families_.push_back({std::move(own), std::string(unit_name(unit)), help_line(help), ""});
  return families_[place->second];
}

void Exposition::add(std::string_view name, Quantity value, std::string_view help, const Labels& labels) {
  if (!std::isfinite(value.value)) return;
  const auto key = metric_family(name, value.unit) + label_set(labels);
  if (series_.contains(key)) return;
  if (series_.size() == most_) {
    ++left_out_;
    return;
  }
  series_.insert(key);
  const double number = value.unit == Unit::bit_per_second ? value.value / bits_of_byte : value.value;
  family(name, value.unit, help).series += fmt::format("{} {}\n", key, number);
}

std::string Exposition::text() const {
  std::string text;
  for (const Family& each : families_) {
    text += fmt::format("# TYPE {} gauge\n", each.name);
    if (!each.unit.empty()) text += fmt::format("# UNIT {} {}\n", each.name, each.unit);
    text += fmt::format("# HELP {} {}\n{}", each.name, each.help, each.series);
  }
  return text + "# EOF\n";
}

}  // namespace muster::results
