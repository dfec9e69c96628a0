// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/log/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "healthcheck/error.hpp"
#include "healthcheck/suggest.hpp"

namespace muster::healthcheck {
namespace {

RE2::Options options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // a log may hold any bytes
  options.set_dot_nl(true);                            // a message may have several lines
  options.set_log_errors(false);
  return options;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

std::vector<KernelFault> read_kernel_faults(const std::filesystem::path& shipped,
                                            const std::optional<std::filesystem::path>& own, const Faults& faults) {
  std::vector<KernelFault> rows;
  if (own) {
    rows = read_kernel_faults(*own);
    std::vector<std::string> codes;
    for (const auto& fault : faults.all()) codes.push_back(fault.code);
    for (const auto& row : rows)
      if (!row.fault.empty() && faults.find(row.fault) == nullptr)
        throw UsageError(fmt::format("{}: '{}' is no code of the table of faults.{} muster explain lists them",
                                     own->string(), row.fault, suggestion(row.fault, codes)));
    Catalogue compiled(rows);  // throws where a pattern is none
  }
  std::ranges::move(read_kernel_faults(shipped), std::back_inserter(rows));
  return rows;
}

Catalogue::Patterns::Patterns(RE2::Anchor anchor) : set(options(), anchor) {}

void Catalogue::Patterns::find(std::string_view text, std::size_t& first) const {
  std::vector<int> found;
  RE2::Set::ErrorInfo error{};
  if (!set.Match(piece(text), &found, &error)) {
    if (error.kind != RE2::Set::kNoError && error.kind != RE2::Set::kNotCompiled)
      throw std::runtime_error("RE2 cannot match the kernel's messages");
    return;
  }
  for (const int each : found) first = std::min(first, rows[static_cast<std::size_t>(each)]);
}

Catalogue::Catalogue(std::vector<KernelFault> rows)
    : rows_(std::move(rows)), at_beginning_(RE2::ANCHOR_START), anywhere_(RE2::UNANCHORED) {
  for (std::size_t number = 0; number < rows_.size(); ++number) {
    const auto& pattern = rows_[number].pattern;
    auto& patterns = pattern.starts_with('^') ? at_beginning_ : anywhere_;
    std::string problem;
    if (patterns.set.Add(piece(pattern), &problem) < 0)
      throw UsageError(fmt::format("'{}' is no regular expression of RE2: {}", pattern, problem));
    patterns.rows.push_back(number);
    each_.push_back(std::make_unique<RE2>(piece(pattern), options()));
  }
  for (auto* patterns : {&at_beginning_, &anywhere_})
    if (!patterns->set.Compile()) throw std::runtime_error("RE2 has no memory for the catalogue of kernel messages");
}

std::optional<Catalogue::Hit> Catalogue::find(std::string_view text) const {
  std::size_t first = rows_.size();
  at_beginning_.find(text, first);
  anywhere_.find(text, first);
  if (first == rows_.size()) return std::nullopt;
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
