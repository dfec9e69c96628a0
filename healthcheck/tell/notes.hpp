// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "healthcheck/process/lock.hpp"

namespace muster::healthcheck::fleet {

// What a listener was told of a night, in a file of a folder: it outlives every end of this program. While one of these
// lives, no other of the same folder and listener on this machine does.
class Note {
 public:
  enum class State {
    none,     // nothing was sent
    sending,  // it was sent, or was about to be
    told,     // the listener took it
  };

  // Makes the folder where there is none. Throws UsageError where it cannot be used, or another process uses it.
  Note(const std::filesystem::path& folder, const std::string& url, const std::string& id);

  State state() const { return state_; }

  // On the disk when it returns. Throws results::Error.
  void write(State state);

 private:
  std::filesystem::path file_;
  std::string id_;
  State state_ = State::none;
  Lock lock_;
};

}  // namespace muster::healthcheck::fleet
