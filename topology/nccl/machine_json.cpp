// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/machine_json.hpp"

#include <nlohmann/json.hpp>

#include "topology/machine/pci_link.hpp"
#include "topology/nccl/nccl_schema.hpp"

namespace muster::topology {
namespace {

using Json = nlohmann::ordered_json;

void add(Json& into, const char* name, const std::string& value) {
  if (!value.empty()) into[name] = value;
}
template <class Value>
void add(Json& into, const char* name, const std::optional<Value>& value) {
  if (value) into[name] = *value;
}
template <class Owner, class... Attributes>
void add(Json& into, const Owner& owner, const std::tuple<Attributes...>& known) {
  std::apply([&](const auto&... one) { (add(into, one.name, owner.*one.member), ...); }, known);
}

template <class Owner, class... Attributes>
void add_all(Json& into, const char* name, const std::vector<Owner>& owners, const std::tuple<Attributes...>& known) {
  for (const Owner& owner : owners) add(into[name].emplace_back(Json::object()), owner, known);
}

void add(Json& into, const std::optional<Nic>& nic) {
  if (nic) add_all(into, "nets", nic->nets, nccl_schema::net);
}

Json json(const PciNode& node, const DeviceNames& names) {
  Json json{{"kind", to_text(kind(node))}};
  add(json, node, nccl_schema::pci);
  add(json, node.link, nccl_schema::link);
  add(json, "name", name_of(names, node.address));
  for (const Gpu& gpu : node.gpus) {
    Json& one = json["gpus"].emplace_back(Json::object());
    add(one, gpu, nccl_schema::gpu);
    add_all(one, "nvlinks", gpu.nvlinks, nccl_schema::nvlink);
    add_all(one, "c2cs", gpu.c2cs, nccl_schema::c2c);
  }
  add(json, node.nic);
  if (!node.peers.empty()) json["pcilinks"] = node.peers;
  for (const PciNode& child : node.children) json["devices"].push_back(muster::topology::json(child, names));
  return json;
}

}  // namespace

std::string to_json(const Machine& machine, const DeviceNames& names) {
  Json json = Json::object();
  add(json, "name", machine.name);
  json["numa_nodes"] = Json::array();
  for (const NumaDomain& domain : machine.domains) {
    Json& one = json["numa_nodes"].emplace_back(Json::object());
    add(one, domain, nccl_schema::cpu_head);
    add(one, "cpus", domain.cpus);
    add(one, domain, nccl_schema::cpu_tail);
    add(one, domain.nic);
    for (const PciNode& node : domain.devices) one["devices"].push_back(muster::topology::json(node, names));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_json(const std::vector<RankPlacement>& seats) {
  Json json = Json::array();
  for (const RankPlacement& seat : seats) {
    Json& one = json.emplace_back(Json{{"rank", seat.rank}});
    if (seat.gpu >= 0) one["gpu"] = seat.gpu;
    add(one, "pci", seat.pci);
    add(one, "nic", seat.nic);
    add(one, "numa", seat.numa);
    one["cpus"] = seat.cpus;
  }
  return json.dump(2) + "\n";
}

}  // namespace muster::topology
