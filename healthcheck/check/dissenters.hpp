// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace muster::healthcheck {

// What a GPU computed, which is the same on all of its model.
struct Vote {
  std::string model;
  std::string hash;
};

// A vote that most of the same model are against, and one of those; by their places.
struct Dissenter {
  std::size_t odd = 0;
  std::size_t usual = 0;

  bool operator==(const Dissenter&) const = default;
};

// By results::majority(): two that differ accuse nobody.
std::vector<Dissenter> dissenters(std::span<const Vote> votes);

}  // namespace muster::healthcheck
