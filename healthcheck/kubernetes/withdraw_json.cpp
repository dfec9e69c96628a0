// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "healthcheck/kubernetes/withdraw.hpp"

namespace muster::healthcheck::fleet {

std::string terminating_command(const Job& job) {
  const nlohmann::json target{{"apiVersion", "batch.volcano.sh/v1alpha1"},
                              {"kind", "Job"},
                              {"name", job.name},
                              {"uid", job.uid},
                              {"controller", true}};
  return nlohmann::json{{"apiVersion", "bus.volcano.sh/v1alpha1"},
                        {"kind", "Command"},
                        {"metadata", {{"name", job.name + "-" + job.uid}, {"ownerReferences", {target}}}},
                        {"action", "TerminateJob"},
                        {"target", target}}
      .dump();
}

}  // namespace muster::healthcheck::fleet
