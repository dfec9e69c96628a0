// SPDX-License-Identifier: Apache-2.0
#include "results/render/ticket.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "results/render/text.hpp"
#include "results/render/text_lines.hpp"
#include "results/strings/utf8.hpp"

namespace muster::results {
namespace {

constexpr std::size_t columns_of_ticket = 100;
constexpr std::size_t most_findings = 20;
constexpr std::size_t longest_name = 255;
constexpr std::size_t longest_text = 2000;  // bytes of one field, which another wrote

// What Azure's guest health reporting calls a category of its own: Resource.Hpc.Unhealthy.IBPortDown.
constexpr std::string_view azure_prefix = "Resource.Hpc.Unhealthy.";

std::string heading(std::string_view title) { return fmt::format("\n{}\n", title); }

std::string field(std::string_view name, std::string_view value, std::size_t margin) {
  constexpr std::size_t width_of_name = 18;
  if (value.empty()) return "";
  return with_rest(std::string(margin, ' ') + padded(name, width_of_name), margin + width_of_name,
                   shortened(value, longest_text), columns_of_ticket);
}

std::string fields(std::string_view title, const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) text += field(row.front(), row.back(), 2);
  return text.empty() ? text : heading(title) + text;
}

// Azure's category and code of a finding; empty where it has none.
std::string category_of(const TicketFinding& finding, const Catalogue* catalogue) {
  const auto words = words_of(catalogue, finding.fault);
  const auto& category = finding.azure_category.empty() ? words.azure_category : finding.azure_category;
  const auto& code = finding.azure_code.empty() ? words.azure_code : finding.azure_code;
  if (category.empty()) return "";
  return fmt::format("{}{}{}", azure_prefix, category, code.empty() ? "" : fmt::format(" ({})", code));
}

// Each category once, worst first; those of findings that are no failure only where there is no other.
std::string categories(const Ticket& ticket, const Catalogue* catalogue) {
  std::vector<std::string> found;
  for (const TicketFinding& finding : ticket.findings) {
    const auto category = category_of(finding, catalogue);
    if (finding.status != ticket.status || category.empty() || std::ranges::find(found, category) != found.end())
      continue;
    found.push_back(category);
  }
  std::string text = heading("CATEGORY");
  for (const auto& category : found) text += field("Azure", category, 2);
  return found.empty() ? "" : text;
}

std::string text_of(const TicketFinding& finding, std::size_t number, const Catalogue* catalogue) {
  const auto words = words_of(catalogue, finding.fault);
  auto what = finding.fault.empty() ? finding.what : fmt::format("{}: {}", finding.fault, finding.what);
  if (finding.times > 1) what += fmt::format(" ({} times)", finding.times);
  std::string text =
      indented(fmt::format("{}. {} {}", number, capitals(to_text(finding.status)), shortened(what, longest_text)), 2,
               columns_of_ticket);
  text += field("found", finding.reason, 5);
  text += field("means", words.meaning, 5);
  text += field("evidence", words.evidence, 5);
  return text + field("to do", finding.action, 5);
}

std::vector<std::string> commands_of(const Ticket& ticket, const Catalogue* catalogue) {
  std::vector<std::string> commands;
  const auto add = [&](std::string command) {
    if (!command.empty() && std::ranges::find(commands, command) == commands.end())
      commands.push_back(std::move(command));
  };
  for (const TicketFinding& finding : ticket.findings)
    for (const auto& command : words_of(catalogue, finding.fault).commands)
      add(filled_command(command, finding.labels));
  add(ticket.check_again);
  return commands;
}

bool is_harmless(std::string_view word) {
  return !word.empty() && word.size() <= 64 && word.front() != '-' &&
         std::ranges::all_of(word, [](unsigned char letter) {
           return letter < 0x80 &&
                  (std::isalnum(letter) != 0 || letter == '_' || letter == '.' || letter == ':' || letter == '-');
         });
}

}  // namespace

std::string finding_name(const std::string& metric, Labels labels) {
  labels.erase("host");
  return labels.empty() ? metric : fmt::format("{} of {}", metric, to_text(labels));
}

std::string filled_command(const std::string& command, const Labels& labels) {
  std::string filled;
  for (std::size_t at = 0; at < command.size();) {
    const auto begin = std::min(command.find('{', at), command.size());
    filled += command.substr(at, begin - at);
    if (begin == command.size()) break;
    const auto end = command.find('}', begin);
    const auto label = labels.find(command.substr(begin + 1, end - begin - 1));
    if (end == command.npos || label == labels.end() || !is_harmless(label->second)) return "";
    filled += label->second;
    at = end + 1;
  }
  return filled;
}

std::string ticket_text(const Ticket& ticket, const Catalogue* catalogue) {
  std::string text =
      fmt::format("muster ticket: {} {}\n", shortened(ticket.node, longest_name), capitals(to_text(ticket.status)));
  text += indented(shortened(ticket.summary, longest_text), 2, columns_of_ticket);
  text += categories(ticket, catalogue) + fields("MACHINE", ticket.machine);
  if (!ticket.findings.empty()) text += heading("FINDINGS");
  const auto shown = std::min(ticket.findings.size(), most_findings);
  for (std::size_t at = 0; at < shown; ++at) text += text_of(ticket.findings[at], at + 1, catalogue);
  if (shown < ticket.findings.size()) text += fmt::format("  and {} more\n", ticket.findings.size() - shown);
  text += fields("SERIAL NUMBERS", ticket.serials);
  std::string commands;
  for (const auto& command : commands_of(ticket, catalogue)) commands += fmt::format("  {}\n", printable(command));
  return commands.empty() ? text : text + heading("COMMANDS THAT SHOW IT") + commands;
}

}  // namespace muster::results
