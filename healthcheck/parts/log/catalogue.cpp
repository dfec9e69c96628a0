// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/log/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "healthcheck/program/error.hpp"
#include "results/strings/suggest.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t bytes_of_beginning = 8;

RE2::Options options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // a log may hold any bytes
  options.set_dot_nl(true);                            // a message may have several lines
  options.set_log_errors(false);
  return options;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

std::vector<KernelFault> read_kernel_faults(const std::filesystem::path& shipped, const std::filesystem::path& own,
                                            const Faults& faults) {
  std::vector<KernelFault> rows = read_kernel_faults(own);
  std::vector<std::string> codes;
  for (const auto& fault : faults.all()) codes.push_back(fault.code);
  for (const auto& row : rows)
    if (!row.fault.empty() && faults.find(row.fault) == nullptr)
      throw UsageError(fmt::format("{}: '{}' is not a code of the table of faults.{} muster explain lists them",
                                   own.string(), row.fault, results::suggestion(row.fault, codes)));
  Catalogue compiled(rows);  // throws where a pattern is none
  std::ranges::move(read_kernel_faults(shipped), std::back_inserter(rows));
  return rows;
}

// A message that begins otherwise is given up at its first odd byte.
Catalogue::Catalogue(std::vector<KernelFault> rows) : rows_(std::move(rows)), all_(options(), RE2::ANCHOR_START) {
  for (const auto& row : rows_) {
    if (!row.pattern.starts_with('^'))
      throw UsageError(fmt::format(
          "'{}' does not begin with ^, and would be found in what others say of the kernel; put ^ before it",
          row.pattern));
    std::string problem;
    if (all_.Add(piece(row.pattern), &problem) < 0)
      throw UsageError(fmt::format("'{}' is not a regular expression of RE2: {}", row.pattern, problem));
  }
  each_.resize(rows_.size());
  if (!all_.Compile()) throw std::runtime_error("RE2 has no memory for the catalogue of kernel messages");
}

const RE2& Catalogue::pattern(std::size_t number) const {
  const std::lock_guard lock(making_);
  auto& made = each_[number];
  if (!made) made = std::make_unique<RE2>(piece(rows_[number].pattern), options());
  return *made;
}

// Most messages fit no pattern, which is told without memory; which patterns fit takes another look. What began like
// one that was found will be found, too: a burst takes one look each.
std::optional<Catalogue::Hit> Catalogue::find(std::string_view text) const {
  auto& is_likely = is_likely_[std::hash<std::string_view>{}(text.substr(0, bytes_of_beginning)) % is_likely_.size()];
  RE2::Set::ErrorInfo error{};
  std::vector<int> found;
  const bool is_found = (is_likely.load(std::memory_order_relaxed) || all_.Match(piece(text), nullptr, &error)) &&
                        all_.Match(piece(text), &found, &error);
  if (error.kind != RE2::Set::kNoError) throw std::runtime_error("RE2 cannot match the kernel's messages");
  if (is_found != is_likely.load(std::memory_order_relaxed)) is_likely.store(is_found, std::memory_order_relaxed);
  if (!is_found) return std::nullopt;
  const auto first = static_cast<std::size_t>(*std::ranges::min_element(found));
  Hit hit{.row = &rows_[first], .labels = {}};
  if (hit.row->is_harmless() || hit.row->is_unknown) return hit;  // of nobody
  const RE2& pattern = this->pattern(first);
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(pattern.NumberOfCapturingGroups()) + 1);
  pattern.Match(piece(text), 0, text.size(), RE2::ANCHOR_START, groups.data(), static_cast<int>(groups.size()));
  for (const auto& [name, number] : pattern.NamedCapturingGroups())
    if (const auto& group = groups[static_cast<std::size_t>(number)]; !group.empty())
      hit.labels.emplace(name, std::string(group.data(), group.size()));
  std::set<std::string> values;
  for (const auto& name : hit.row->where_differ)
    if (auto node = hit.labels.extract(name)) values.insert(std::move(node.mapped()));
  if (!hit.row->where_differ.empty() && values.size() < 2) return std::nullopt;
  return hit;
}

}  // namespace muster::healthcheck
