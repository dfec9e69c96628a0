// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "healthcheck/tell/event.hpp"

namespace muster::healthcheck::fleet {

// What a template makes of an event: JSON that a chat takes. A template is JSON (healthcheck/tell/README.md): ${NAME}
// in a text of its body becomes a value, and an object with "$data" in a list is there for each of what that names.
// Values are filled in after the template was parsed, so that none of them is ever more than a part of one text. Throws
// results::Error that names the field.
std::string message_by(std::string_view message_template, const FleetEvent& event);

}  // namespace muster::healthcheck::fleet
