// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/check.hpp"

#include "results/strings/names.hpp"

namespace muster::healthcheck {
namespace {

constexpr results::Names<7> scope_names = {"once", "per gpu", "per nic", "per drive", "all gpus", "ranks", "hosts"};
constexpr results::Names<5> resource_names = {"cpu", "memory", "disk", "gpu", "nic"};
constexpr results::Names<4> part_names = {"nvidia_gpu", "rdma_device", "several_drives", "topology_file"};

}  // namespace

double default_timeout_seconds(results::Tier tier) {
  switch (tier) {
    case results::Tier::preflight:
      return 10;
    case results::Tier::quick:
      return 30;
    case results::Tier::full:
      break;
  }
  return 600;
}

bool is_job(Scope scope) { return scope == Scope::ranks || scope == Scope::hosts; }

std::string_view to_text(Scope scope) { return results::name_of(scope_names, scope); }
std::string_view to_text(Resource resource) { return results::name_of(resource_names, resource); }
std::string_view to_text(Part part) { return results::name_of(part_names, part); }

std::string executable_name(std::string_view check) {
  std::string name = "muster-" + std::string(check);
  for (char& letter : name)
    if (letter == '_') letter = '-';
  return name;
}

}  // namespace muster::healthcheck
