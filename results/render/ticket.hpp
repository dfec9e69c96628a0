// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "results/render/catalogue.hpp"
#include "results/strings/table.hpp"
#include "results/values/verdict.hpp"

namespace muster::results {

// What a ticket says of one finding.
struct TicketFinding {
  Status status = Status::unknown;
  std::string what;    // metric and component
  std::string reason;  // and what was expected
  std::string fault;
  std::string action;
  std::string azure_code, azure_category;  // where the finding has its own; else those of the fault
  Labels labels;                           // of the component
  std::size_t times = 1;
};

// "ib_link.state of nic mlx5_0, port 1"; the host is that of the ticket.
std::string finding_name(const std::string& metric, Labels labels);

// The text that a cloud or a vendor wants, of one node.
struct Ticket {
  std::string node;
  Status status = Status::unknown;
  std::string summary;
  std::vector<Row> machine;             // what it is: a word and its value
  std::vector<Row> serials;             // of the components that were found
  std::vector<TicketFinding> findings;  // worst first
  std::string check_again;              // a command
};

// Category, machine, findings with their evidence, serial numbers, and commands that show it.
std::string ticket_text(const Ticket& ticket, const Catalogue* catalogue);

// A command of the catalogue for a component; empty where that lacks a label that the command names, or has one that no
// shell should read.
std::string filled_command(const std::string& command, const Labels& labels);

}  // namespace muster::results
