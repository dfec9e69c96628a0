// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/checks_json.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "healthcheck/program/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::array scopes{Scope::once,     Scope::per_gpu, Scope::per_nic, Scope::per_drive,
                            Scope::all_gpus, Scope::ranks,   Scope::hosts};
constexpr std::array parts{Part::nvidia_gpu, Part::rdma_device, Part::several_drives, Part::topology_file};
constexpr std::array resources{Resource::cpu, Resource::memory, Resource::disk, Resource::gpu, Resource::nic};

template <class Values>
typename Values::value_type enumerator(const Values& values, const std::string& text) {
  for (const auto value : values)
    if (to_text(value) == text) return value;
  throw std::out_of_range("unknown word '" + text + "'");
}

Description description_from(const nlohmann::json& object) {
  Description description;
  object.at("name").get_to(description.name);
  object.at("summary").get_to(description.summary);
  description.scope = enumerator(scopes, object.at("scope"));
  for (const std::string resource : object.at("resources"))
    description.resources.push_back(enumerator(resources, resource));
  const std::string tier = object.at("tier");
  const auto known = results::tier_from(tier);
  if (!known) throw std::out_of_range("unknown tier '" + tier + "'");
  description.tier = *known;
  object.at("typical_seconds").get_to(description.typical_seconds);
  object.at("reads_tree_only").get_to(description.reads_tree_only);
  object.at("prepares").get_to(description.prepares);
  if (object.contains("part")) description.part = enumerator(parts, object.at("part"));
  return description;
}

}  // namespace

std::string to_json(const Description& description) {
  nlohmann::ordered_json object{{"name", description.name},
                                {"summary", description.summary},
                                {"scope", to_text(description.scope)},
                                {"resources", nlohmann::ordered_json::array()},
                                {"tier", to_text(description.tier)},
                                {"typical_seconds", description.typical_seconds},
                                {"reads_tree_only", description.reads_tree_only},
                                {"prepares", description.prepares}};
  for (const auto resource : description.resources) object["resources"].push_back(to_text(resource));
  if (description.part) object["part"] = to_text(*description.part);
  return object.dump(2);
}

std::vector<Description> read_checks(const std::filesystem::path& file) {
  try {
    std::vector<Description> checks;
    for (const auto& object : nlohmann::json::parse(results::read_text(file)))
      checks.push_back(description_from(object));
    return checks;
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("{} is not a list of checks ({}); build muster again", file.string(), error.what()));
  }
}

}  // namespace muster::healthcheck
