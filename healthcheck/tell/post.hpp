// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "healthcheck/program/stop.hpp"
#include "healthcheck/tell/listener.hpp"

namespace muster::healthcheck::fleet {

// What is posted.
struct Message {
  std::string id;                    // stands in headers
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
};

// What became of one attempt.
struct Attempt {
  enum class End {
    told,      // the listener took it: an answer of 2xx
    refused,   // it never will, or muster must not go on: another answer, or no trust
    later,     // it did not take it, and may another time: an answer of 408, 425, 429, 500, 502, 503 or 504
    unsent,    // nothing was sent
    in_doubt,  // it was sent, and no answer came
  };
  End end = End::unsent;
  std::string why;           // a phrase without any secret; empty where it was told
  double after_seconds = 0;  // how long the listener wants to be left alone
};

// One POST, which ends at `end` or when `stop` is told, and in 10 s in any case. No redirect is followed and no more
// than 1 MB of the answer is read. `before` is called when the listener is connected and trusted and before the first
// byte of the request is sent; where it throws, nothing is sent and post() throws the same.
Attempt post(const Listener& listener, const Message& message, std::chrono::steady_clock::time_point end, Stop& stop,
             const std::function<void()>& before);

}  // namespace muster::healthcheck::fleet
