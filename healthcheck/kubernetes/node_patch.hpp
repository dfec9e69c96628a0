// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "healthcheck/kubernetes/node_labels.hpp"

namespace muster::healthcheck::fleet {

// The strategic merge patch that gives a Node, as the API server tells it, what is wanted, and takes from it what is of
// the past; nothing when it has all of it already. Throws results::Error when the text is no Node.
std::optional<std::string> node_patch(std::string_view node, const NodeLabels& wanted);

}  // namespace muster::healthcheck::fleet
