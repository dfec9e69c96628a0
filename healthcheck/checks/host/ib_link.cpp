// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "healthcheck/catalogue/counter_delta.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/counter_growth.hpp"
#include "healthcheck/check/kernel_facts.hpp"
#include "healthcheck/program/command_line.hpp"
#include "results/values/event_rate.hpp"
#include "topology/devices/infiniband.hpp"
#include "topology/evidence/evidence.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;
using results::Quantity;
using results::Unit;
using topology::Hca;
using topology::HcaPort;

constexpr std::string_view state_file = "ib_link.json";

constexpr std::string_view downed = "link_downed";

// What happens now and then on a healthy link; how often is what counts. Of the others, each event does.
constexpr std::array<std::string_view, 10> counted_by_rate = {
    "symbol_error",   "link_error_recovery", "port_rcv_errors", "port_rcv_remote_physical_errors", "port_xmit_discards",
    "port_xmit_wait", "out_of_sequence",     "packet_seq_err",  "local_ack_timeout_err",           "roce_slow_restart"};

// "0x8001 0x7fff"
std::string to_text(const std::vector<std::uint16_t>& keys) {
  std::string text;
  for (const auto key : keys) text += fmt::format("{}{:#06x}", text.empty() ? "" : " ", key);
  return text;
}

// How much a counter grew, or how fast; the reason where nobody can tell.
results::Value grown(const results::Delta& delta, bool by_rate, double seconds) {
  if (auto reason = why_unknown(delta)) return std::move(*reason);
  if (auto reason = why_full(delta)) return std::move(*reason);
  const double growth = delta.after - delta.before;
  return by_rate ? Quantity{results::min_rate(growth, seconds), Unit::hertz} : Quantity{growth, Unit::one};
}

// The facts of one run.
class Ports {
 public:
  explicit Ports(Context& context)
      : sysfs_(context.sysfs()), facts_(context, "ib_link"), hcas_(topology::hcas(context.sysfs())) {}

  bool none() const { return hcas_.empty(); }

  void count() {
    std::size_t infiniband = 0;
    for (const auto& hca : hcas_)
      infiniband += static_cast<std::size_t>(std::ranges::count(hca.ports, "InfiniBand", &HcaPort::link_layer));
    facts_.add("port_count", results::count(infiniband), {{"link_layer", "InfiniBand"}});
    facts_.attempt([&] {
      for (const auto& pci : topology::unserved_adapters(sysfs_))
        facts_.add("unserved", "an InfiniBand adapter without an RDMA device", {{"pci", pci}});
    });
    for (const auto& hca : topology::switch_managers(sysfs_))
      facts_.add("switch_manager", "manages an NVSwitch, and is not an adapter", {{"nic", hca.name}, {"pci", hca.pci}});
    facts_.save();
  }

  void read() {
    for (const auto& hca : hcas_)
      for (const auto& port : hca.ports)
        for (const auto subject :
             {&Ports::link, &Ports::speed, &Ports::addresses, &Ports::partitions, &Ports::adapter, &Ports::interfaces})
          facts_.attempt([&] { (this->*subject)(hca, port); });
    for (const auto kin : {topology::Kin::adapter, topology::Kin::port, topology::Kin::interface})
      facts_.attempt([&] { facts_.compare(kin); });
    facts_.save();
  }

  void add(const Growth& growth) {
    const Labels since = {{"since", growth.is_since_last_run ? "the last run" : "this run began"}};
    for (const auto& delta : growth.deltas) {
      const std::string name(results::subject_of(delta.metric));
      const bool by_rate = std::ranges::find(counted_by_rate, name) != counted_by_rate.end();
      Labels labels = of_port(delta.labels);
      labels.insert(since.begin(), since.end());
      if (name == downed && !growth.is_since_last_run)
        facts_.add("link_downed_since_boot", Quantity{delta.after}, of_port(delta.labels));
      facts_.add(name, grown(delta, false, growth.seconds), labels);
      if (by_rate) facts_.add(name + "_rate", grown(delta, true, growth.seconds), std::move(labels));
    }
    facts_.add("window", Quantity{growth.seconds, Unit::second}, since);
  }

  void end() { facts_.end(); }

 private:
  // Whose port it is, without what it does not have.
  static Labels identity(const Hca& hca, const HcaPort& port) {
    Labels labels = {
        {"nic", hca.name}, {"port", std::to_string(port.number)}, {"guid", hca.node_guid}, {"pci", hca.pci}};
    std::erase_if(labels, [](const auto& label) { return label.second.empty(); });
    return labels;
  }

  static Labels of(const Hca& hca, const HcaPort& port) {
    Labels labels = identity(hca, port);
    if (!port.link_layer.empty()) labels.emplace("link_layer", port.link_layer);
    return labels;
  }

  // Of Ethernet ports many are there that nobody uses. Where most of one board and driver are active, all should be.
  bool is_active_like_most(const Hca& hca) const {
    constexpr std::size_t least = 3;
    std::size_t all = 0;
    std::size_t active = 0;
    for (const auto& other : hcas_)
      for (const auto& port : other.ports) {
        if (port.link_layer != "Ethernet" || kind(other) != kind(hca)) continue;
        ++all;
        active += port.state == "ACTIVE" ? 1 : 0;
      }
    return all >= least && 2 * active > all;
  }

  std::string kind(const Hca& hca) const {
    const auto driver = sysfs_.link_name(fmt::format("sys/class/infiniband/{}/device/driver", hca.name));
    return hca.board_id + (hca.board_id.empty() ? "" : " ") + driver.value_or("");
  }

  // As an Ethernet link has it, also what it is held against.
  Labels of_link(const Hca& hca, const HcaPort& port) const {
    Labels labels = of(hca, port);
    if (port.link_layer != "Ethernet") return labels;
    labels.emplace("kind", kind(hca));
    labels.emplace("siblings", is_active_like_most(hca) ? "mostly active" : "not in use alike");
    return labels;
  }

  static Labels of_its_kind(const Hca& hca, const HcaPort& port) {
    Labels labels = identity(hca, port);
    labels.emplace("board_id", hca.board_id);
    return labels;
  }

  // The labels of a counter with those of its port.
  Labels of_port(Labels labels) const {
    for (const auto& hca : hcas_)
      for (const auto& port : hca.ports)
        if (hca.name == labels.at("nic") && std::to_string(port.number) == labels.at("port"))
          labels.merge(of(hca, port));
    return labels;
  }

  void link(const Hca& hca, const HcaPort& port) {
    for (const auto& [subject, text] : {std::pair("state", port.state), {"phys_state", port.physical_state}})
      facts_.add_text(subject, text, of_link(hca, port));
    facts_.add_text("link_layer", port.link_layer, of_its_kind(hca, port));
  }

  void speed(const Hca& hca, const HcaPort& port) {
    if (const auto rate = topology::port_rate(sysfs_, hca, port))
      facts_.add("rate", Quantity{*rate, Unit::bit_per_second}, of_link(hca, port));
    if (const auto lanes = topology::port_width(sysfs_, hca, port))
      facts_.add("width", Quantity{static_cast<double>(*lanes)}, of(hca, port));
  }

  void addresses(const Hca& hca, const HcaPort& port) {
    for (const auto* file : {"lid", "sm_lid"})
      if (const auto number = sysfs_.number(topology::port_path(hca, port, file)))
        facts_.add(file, Quantity{static_cast<double>(*number)}, of(hca, port));
    const auto gids = topology::gids(sysfs_, hca, port);
    facts_.add("gid_count", results::count(gids.size()), of(hca, port));
    if (!gids.empty()) facts_.add("gid", gids.front(), of(hca, port));
  }

  void partitions(const Hca& hca, const HcaPort& port) {
    const auto keys = topology::partition_keys(sysfs_, hca, port);
    const auto full = std::ranges::count_if(keys, topology::is_full_member);
    facts_.add("full_partitions", results::count(static_cast<std::size_t>(full)), of(hca, port));
    facts_.add_text("partition_keys", to_text(keys), of(hca, port));
  }

  void adapter(const Hca& hca, const HcaPort& port) {
    facts_.add_text("firmware", hca.firmware.value_or(""), of_its_kind(hca, port));
    facts_.add_text("board_id", hca.board_id, of(hca, port));
    const auto numa = sysfs_.text(fmt::format("sys/class/infiniband/{}/device/numa_node", hca.name));
    facts_.add_text("numa_node", numa.value_or(""), of(hca, port));
  }

  void interfaces(const Hca& hca, const HcaPort& port) {
    for (const auto& interface : topology::interfaces(sysfs_, hca, port)) {
      Labels labels = of(hca, port);
      labels.emplace("interface", interface);
      if (const auto bytes = sysfs_.number(fmt::format("sys/class/net/{}/mtu", interface)))
        facts_.add("interface_mtu", Quantity{static_cast<double>(*bytes), Unit::byte}, std::move(labels));
    }
  }

  const topology::Sysfs& sysfs_;
  KernelFacts facts_;
  std::vector<Hca> hcas_;
};

class IbLink final : public Check {
 public:
  Description describe() const override {
    return {.name = "ib_link",
            .summary = "Ports of InfiniBand and RoCE: link, rate, addresses, partitions, and how error counters grow",
            .scope = Scope::once,
            .resources = {},
            .tier = results::Tier::preflight,
            .typical_seconds = usual_window_seconds,
            .reads_tree_only = true,
            .part = Part::rdma_device};
  }

  void add_options(CommandLine& line) override {
    line.add_positive("--window", window_seconds_,
                      "Seconds to watch error counters for (default: 1, or with --state since the last run)");
  }

  double wanted_seconds(results::Tier /*tier*/) const override {
    return window_seconds_.value_or(usual_window_seconds);
  }

  void run(Context& context) override {
    context.phase("reading the ports");
    Ports ports(context);
    ports.count();
    if (ports.none()) throw Skip("no RDMA device");
    ports.read();
    context.phase("watching error counters");
    const auto growths = counter_growth(context.sysfs(), topology::infiniband, kept(context), window_seconds_);
    if (!growths.problem.empty()) context.add("ib_link.last_reading", growths.problem);
    for (const auto& growth : growths.all) ports.add(growth);
    ports.end();
  }

 private:
  static std::optional<std::filesystem::path> kept(const Context& context) {
    const auto& folder = context.settings().state;
    if (!folder) return std::nullopt;
    return *folder / state_file;
  }

  std::optional<double> window_seconds_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<IbLink>(); }

}  // namespace muster::healthcheck
