// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "healthcheck/process/connection.hpp"

namespace muster::healthcheck {

// Where a job's report comes in, from a host that shares no disk with this one. By TCP, because mpirun drops what a
// rank prints once another rank has died.
class ReportInbox {
 public:
  // At one address of this host, or at all where it is empty. Throws std::system_error.
  explicit ReportInbox(const std::string& only);

  // What `deliver` needs: a word that nobody else knows, the port and the addresses of this host.
  const std::string& address() const { return address_; }
  std::string port() const;
  // What can be read once something has come.
  std::vector<int> descriptors() const;
  // Looks at what has come, without waiting. Texts that have come whole, each once.
  std::vector<std::string> take();

 private:
  struct Sender {
    Connection connection;
    bool greeted = false;
    bool welcome = true;  // false once it has said another word
    std::string text = {};
  };

  std::optional<std::string> hear(Sender& sender);

  Listener listener_;
  std::string greeting_;
  std::string address_;
  std::vector<Sender> senders_;
};

// Brings a text of lines to an inbox, and returns when it is there. Throws std::system_error when it cannot be
// brought.
void send_report(const std::string& text, const std::string& address);

}  // namespace muster::healthcheck
