// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check.hpp"

namespace muster::healthcheck {

std::string_view to_text(Scope scope) {
  switch (scope) {
    case Scope::once:
      return "once";
    case Scope::per_gpu:
      return "per gpu";
    case Scope::per_nic:
      return "per nic";
    case Scope::per_drive:
      return "per drive";
    case Scope::all_gpus:
      return "all gpus";
    case Scope::ranks:
      return "ranks";
  }
  return "";
}

std::string_view to_text(Resource resource) {
  switch (resource) {
    case Resource::cpu:
      return "cpu";
    case Resource::memory:
      return "memory";
    case Resource::disk:
      return "disk";
    case Resource::gpu:
      return "gpu";
    case Resource::nic:
      return "nic";
  }
  return "";
}

std::string executable_name(std::string_view check) {
  std::string name = "muster-" + std::string(check);
  for (char& letter : name)
    if (letter == '_') letter = '-';
  return name;
}

}  // namespace muster::healthcheck
