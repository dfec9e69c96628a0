// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "results/render/text.hpp"

namespace muster::healthcheck {

struct Elapsed {
  std::string name;
  double seconds = 0;
};

// "host_memory 3.2 s, limits 0.1 s | 2 of 3 done"
std::string status_line(const std::vector<Elapsed>& running, std::size_t done, std::size_t all);

// What people see on stderr while checks run: lines, and below them on a terminal one status line, rewritten in place.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();  // takes the status line away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool live() const { return terminal_ && !quiet_; }
  results::Colour colour() const;
  void line(std::string_view text);
  void status(std::string_view text);

 private:
  bool quiet_;
  bool terminal_;
  bool shown_ = false;
};

}  // namespace muster::healthcheck
