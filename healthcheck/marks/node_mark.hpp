// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muster::healthcheck::fleet {

// Annotations of a node say why it bears the label and taint `unfit`. One without the annotation `muster/marked-by` was
// not marked from here, whatever its labels and taints.
constexpr std::string_view marked_by = "muster/marked-by";

struct UnfitMark {
  std::string fault;   // code of the worst problem
  std::string reason;  // one sentence
  std::string run_id;  // of the report of the fleet
  std::string effect;  // of the taint: NoSchedule, PreferNoSchedule or NoExecute
};

// Strategic merge patches for a Node as the API server tells it, which is refused (409) where it has changed since
// then, for a patch replaces all taints; nothing where it is marked so already, or bears no mark from here. A label or
// taint of this name that was not set from here stays as it is. Throw results::Error when the text is no Node.
std::optional<std::string> marking(std::string_view node, const UnfitMark& mark);
std::optional<std::string> unmarking(std::string_view node);

// The same that takes the taints of this key off a node; nothing where it has none.
std::optional<std::string> opening(std::string_view node, std::string_view key);

}  // namespace muster::healthcheck::fleet
