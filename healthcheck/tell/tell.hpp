// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "healthcheck/program/stop.hpp"
#include "healthcheck/tell/listener.hpp"
#include "healthcheck/tell/post.hpp"

namespace muster::healthcheck::fleet {

struct TellOptions {
  std::optional<std::filesystem::path> state;  // a folder that knows what was told
  std::size_t tries = 5;
  double wait_seconds = 60;          // for all of it
  bool again_when_in_doubt = false;  // for listeners that drop what has an id that they know
};

// Tells a listener once: tries again, at longer and longer intervals or when it asks for it, where it took nothing and
// may take it another time. What may have arrived is not sent again unless that is wanted. Says by `warn` what went
// wrong, in sentences without secrets. True where the listener has it, from now or from before. Throws UsageError,
// results::Error.
bool tell_listener(const Listener& listener, const Message& message, const TellOptions& wanted, Stop& stop,
                   const std::function<void(const std::string&)>& say,
                   const std::function<void(const std::string&)>& warn);

}  // namespace muster::healthcheck::fleet
