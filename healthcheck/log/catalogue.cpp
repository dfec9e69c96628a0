// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/log/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "healthcheck/error.hpp"

namespace muster::healthcheck {
namespace {

RE2::Options options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // a log may hold any bytes
  options.set_log_errors(false);
  return options;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

Catalogue::Catalogue(std::vector<KernelFault> rows) : rows_(std::move(rows)), all_(options(), RE2::UNANCHORED) {
  for (const auto& row : rows_) {
    std::string problem;
    if (all_.Add(piece(row.pattern), &problem) < 0)
      throw UsageError(fmt::format("'{}' is no regular expression of RE2: {}", row.pattern, problem));
    each_.push_back(std::make_unique<RE2>(piece(row.pattern), options()));
  }
  if (!all_.Compile()) throw std::runtime_error("RE2 has no memory for the catalogue of kernel messages");
}

std::optional<Catalogue::Hit> Catalogue::find(std::string_view text) const {
  std::vector<int> found;
  RE2::Set::ErrorInfo error{};
  if (!all_.Match(piece(text), &found, &error)) {
    if (error.kind != RE2::Set::kNoError) throw std::runtime_error("RE2 cannot match the kernel's messages");
    return std::nullopt;
  }
  const auto first = static_cast<std::size_t>(*std::ranges::min_element(found));
  const RE2& pattern = *each_[first];
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(pattern.NumberOfCapturingGroups()) + 1);
  pattern.Match(piece(text), 0, text.size(), RE2::UNANCHORED, groups.data(), static_cast<int>(groups.size()));
  Hit hit{.row = &rows_[first], .labels = {}};
  for (const auto& [name, number] : pattern.NamedCapturingGroups())
    if (const auto& group = groups[static_cast<std::size_t>(number)]; !group.empty())
      hit.labels.emplace(name, std::string(group.data(), group.size()));
  return hit;
}

}  // namespace muster::healthcheck
