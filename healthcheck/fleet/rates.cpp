// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/rates.hpp"

#include <algorithm>

namespace muster::healthcheck::fleet {
namespace {

constexpr char separator = '\0';  // ends each part

std::string next(std::string_view& text) {
  const auto end = text.find(separator);
  std::string part(text.substr(0, end));
  text.remove_prefix(end + 1);
  return part;
}

std::vector<std::uint32_t> numbers_in(StringTable& table, const StringTable& texts) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t text = 0; text < texts.size(); ++text) numbers.push_back(table.number(texts[text]));
  return numbers;
}

}  // namespace

std::string joined(std::span<const std::string_view> parts) {
  std::size_t size = parts.size();
  for (const auto part : parts) size += part.size();
  std::string text;
  text.reserve(size);
  for (const auto part : parts) {
    const auto begin = text.size();
    text.append(part);
    if (part.find(separator) != part.npos)
      std::replace(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), separator, ' ');
    text.push_back(separator);
  }
  return text;
}

RateKind kind_from(std::string_view text) {
  RateKind kind{.profile = next(text), .machine = next(text), .check = next(text), .metric = next(text)};
  kind.unit = results::unit_from(next(text)).value_or(results::Unit::one);
  kind.labels = labels_from(text);
  return kind;
}

results::Labels labels_from(std::string_view text) {
  results::Labels labels;
  while (!text.empty()) {
    auto name = next(text);
    labels[std::move(name)] = next(text);
  }
  return labels;
}

Renumbering::Renumbering(const RateTexts& from, RateTexts& into)
    : kinds_(numbers_in(into.kinds, from.kinds)),
      components_(numbers_in(into.components, from.components)),
      checks_(numbers_in(into.checks, from.checks)) {}

void Renumbering::apply(std::vector<Rate>& rates) const {
  for (auto& rate : rates) {
    rate.kind = kinds_[rate.kind];
    rate.component = components_[rate.component];
  }
}

void Renumbering::apply(std::vector<CheckStatus>& checks) const {
  for (auto& each : checks) each.check = checks_[each.check];
}

void worsen(std::vector<CheckStatus>& checks, CheckStatus by) {
  const auto known = std::ranges::find(checks, by.check, &CheckStatus::check);
  if (known == checks.end())
    checks.push_back(by);
  else
    known->status = std::max(known->status, by.status);
}

}  // namespace muster::healthcheck::fleet
