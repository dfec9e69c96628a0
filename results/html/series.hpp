// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>

#include "results/values/measurement.hpp"

namespace muster::results::html {

// Labels that all of these have with one value, and so tell nothing apart.
std::set<std::string> labels_alike(std::span<const Measurement* const> all);

// What tells a fact from its like: the values of its other labels, "in-place, 1 MiB"; its subject where there are none.
// Labels that name a component a second time, and those in `left_out`, are not told.
std::string name_beside(const Measurement& fact, const std::set<std::string>& alike,
                        const std::set<std::string>& left_out);

// Without what names a component twice: that of "nic mlx5_ib0" need not be told by its GUID.
void make_short(Labels& labels);

}  // namespace muster::results::html
