// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/marks/node_fitness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "results/values/report.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::Status;

// "ib_port_down" is IbPortDown.
std::string one_word(std::string_view code) {
  std::string word;
  bool is_first = true;
  for (const char letter : code) {
    const bool is_alphanumeric = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (is_alphanumeric)
      word += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    is_first = !is_alphanumeric;
  }
  return word;
}

NodeCondition made_of(std::string status, std::string reason, std::string message, const std::string& time) {
  return {.status = std::move(status),
          .reason = std::move(reason),
          .message = std::move(message),
          .since = time,
          .told = time};
}

}  // namespace

std::string worst_sentence(const FleetNode& node, std::string otherwise) {
  if (node.problems.empty()) return otherwise;
  const auto& worst = node.problems.front();
  return fmt::format("{}: {}", worst.metric, worst.reason);
}

std::optional<NodeCondition> fitness(const FleetNode& node, const std::string& made, bool is_marked) {
  const bool is_tested = node.coverage == Coverage::tested || node.coverage == Coverage::twice;
  const bool is_clean = node.problems.empty();
  if (is_tested && node.status == Status::fail)
    return made_of("False", is_clean ? "Failed" : one_word(node.problems.front().fault),
                   worst_sentence(node, "its report says no more"), made);
  if (is_tested && results::is_good(node.status))
    return made_of("True", is_clean ? "Passed" : "Warned", worst_sentence(node, "it passed"), made);
  if (is_marked || node.coverage == Coverage::skipped) return std::nullopt;
  if (node.coverage == Coverage::missing)
    return made_of("Unknown", "NotTested", node.reason.empty() ? "it left no report" : node.reason, made);
  return made_of("Unknown", "NotJudged",
                 node.reason.empty() ? worst_sentence(node, "its report does not say whether it is fit") : node.reason,
                 made);
}

std::optional<NodeCondition> outdated_fitness(const NodeCondition& told, std::chrono::system_clock::time_point now,
                                              double oldest_hours) {
  const auto time = results::time_from(told.told);
  const bool is_young = time && std::chrono::duration<double, std::ratio<3600>>(now - *time).count() <= oldest_hours;
  if (is_young || told.status == "Unknown") return std::nullopt;
  return made_of(
      "Unknown", "Outdated",
      fmt::format("its last test was at {}, more than {:g} h ago", time ? told.told : "no known time", oldest_hours),
      results::utc(now));
}

bool is_news(const NodeCondition& wanted, const std::optional<NodeCondition>& before) {
  return !before || wanted.status != before->status || wanted.reason != before->reason ||
         wanted.message != before->message || results::time_from(wanted.told) != results::time_from(before->told);
}

}  // namespace muster::healthcheck::fleet
