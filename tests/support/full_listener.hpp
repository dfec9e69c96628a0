// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "results/system/descriptor.hpp"

namespace muster::tests {

// Listens at a port of this machine, and takes nobody: once its queue is full, the kernel drops what asks for more.
class FullListener {
 public:
  FullListener() {
    auto* address = reinterpret_cast<sockaddr*>(&place_);
    place_.sin_family = AF_INET;
    place_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof place_;
    if (bind(listener_.number(), address, length) != 0 || listen(listener_.number(), 0) != 0 ||
        getsockname(listener_.number(), address, &length) != 0)
      throw std::runtime_error("no listener");
  }

  // Asks for more connections than the queue holds.
  void fill() {
    for (int number = 0; number < 4; ++number) {
      asking_.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      std::ignore = connect(asking_.back().number(), reinterpret_cast<sockaddr*>(&place_), sizeof place_);
    }
  }

  void let_go() { asking_.clear(); }

  std::string port() const { return std::to_string(ntohs(place_.sin_port)); }

 private:
  sockaddr_in place_{};
  results::Descriptor listener_{::socket(AF_INET, SOCK_STREAM, 0)};
  std::vector<results::Descriptor> asking_;
};

}  // namespace muster::tests
