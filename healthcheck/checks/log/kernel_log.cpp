// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "healthcheck/check.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/context.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/installation.hpp"
#include "healthcheck/kernel_facts.hpp"
#include "healthcheck/log/catalogue.hpp"
#include "healthcheck/log/tally.hpp"
#include "results/utf8.hpp"
#include "topology/bus_id.hpp"
#include "topology/error.hpp"
#include "topology/kernel_log.hpp"
#include "topology/nvidia.hpp"
#include "topology/parsed.hpp"
#include "topology/pci.hpp"
#include "topology/uptime.hpp"

namespace muster::healthcheck {
namespace {

using results::Labels;
using topology::Sysfs;

constexpr auto ring = "dev/kmsg";
constexpr std::size_t most_of_a_message = 400;  // bytes, in a report

// As all checks spell an address: NVIDIA's driver writes "0001:00:00" of the first function, or leaves the domain out.
std::string bus_id(std::string_view text) {
  auto address = topology::lower_case(text);
  for (const auto& whole : {address, address + ".0", "0000:" + address})
    if (topology::is_bus_id(whole)) return whole;
  return address;
}

// What else the device at a PCI address is called.
void add_names(const Sysfs& whole, Labels& labels) {
  const auto sysfs = whole.quiet();
  const auto at = labels.find("pci");
  if (at == labels.end()) return;
  at->second = bus_id(at->second);
  const auto gpus = topology::nvidia_gpus(sysfs);
  for (std::size_t index = 0; index < gpus.size(); ++index)
    if (gpus[index].address == at->second) labels.emplace("gpu", std::to_string(index));
  const auto device = "sys/bus/pci/devices/" + at->second;
  for (const auto& [folder, label] : {std::pair("/infiniband", "nic"), {"/nvme", "drive"}})
    if (const auto names = sysfs.list(device + folder); !names.empty()) labels.emplace(label, names.front());
}

// What the log says since a time, in seconds after boot.
class Reading {
 public:
  Reading(const Catalogue& catalogue, double since) : catalogue_(catalogue), since_(since) {}

  void read(topology::KernelLog& log) {
    while (true) {
      const auto message = log.next();
      if (!message) return;
      add(*message);
    }
  }

  // Whether the log goes back to that time, although the ring had lost what was before its first message.
  bool is_covered() const { return first_seconds_ && *first_seconds_ < since_; }
  const Tally& tally() const { return tally_; }

 private:
  void add(const topology::KernelMessage& message) {
    const auto& seconds = message.seconds;
    if (!first_seconds_) first_seconds_ = seconds;
    if (seconds && *seconds < since_) return;
    if (const auto hit = catalogue_.find(message.text)) tally_.add(*hit, seconds, message.text);
  }

  const Catalogue& catalogue_;
  double since_;
  std::optional<double> first_seconds_;
  Tally tally_;
};

class KernelLogCheck final : public Check {
 public:
  Description describe() const override {
    return {.name = "kernel_log",
            .summary = "What the kernel's log says of faults since boot: GPUs, NVLink, PCIe, adapters, drives, memory",
            .scope = Scope::once,
            .resources = {},
            .tier = results::Tier::preflight,
            .typical_seconds = 0.1,
            .reads_tree_only = true};
  }

  void add_options(CommandLine& line) override {
    line.add("--file", file_, "Read this file, as of dmesg or a system log, instead of the ring dev/kmsg");
    line.add_positive("--since", since_seconds_, "Only messages of so many seconds until now (default: since boot)");
  }

  void expect_possible(const Context& /*context*/) const override {
    if (!file_) return;
    try {
      topology::KernelLog log(*file_);
      log.next();
    } catch (const topology::Error& error) {
      throw UsageError(fmt::format("--file: {}", error.what()));
    }
  }

  void run(Context& context) override {
    context.phase("reading the catalogue of messages");
    const Catalogue catalogue(read_kernel_faults(installation().kernel_messages));
    context.phase("reading the kernel's log");
    const auto& sysfs = context.sysfs();
    if (!file_ && !sysfs.exists(ring))
      throw Skip(sysfs.live()
                     ? "there is no dev/kmsg, as in most containers; mount it, or name a copy of the log with --file"
                     : "there is no dev/kmsg in this captured tree; name a copy of the log with --file");
    topology::KernelLog log(file_.value_or(sysfs.path(ring)));
    Reading reading(catalogue, begin(sysfs));
    reading.read(log);
    KernelFacts facts(context, "kernel_log");
    facts.add("messages", results::count(log.messages()));
    facts.add("cut_lines", results::count(log.cut_lines()));
    const auto lost_before = reading.is_covered() ? 0 : log.lost_before();
    facts.add("lost", results::count(lost_before), {{"when", "before"}});
    facts.add("lost", results::count(log.lost_meanwhile()), {{"when", "while it was read"}});
    add_counts(facts, sysfs, catalogue, reading.tally());
    facts.save();
  }

 private:
  // In seconds after boot.
  double begin(const Sysfs& sysfs) const {
    if (!since_seconds_) return 0;
    const auto uptime = topology::uptime_seconds(sysfs);
    if (!uptime) throw topology::Error("proc/uptime", "cannot be read, so that nobody can tell what --since means");
    return *uptime - *since_seconds_;
  }

  // Of each fault that nothing was said of, that it is 0.
  static void add_counts(KernelFacts& facts, const Sysfs& sysfs, const Catalogue& catalogue, const Tally& tally) {
    std::map<std::string, bool> is_common;
    for (const auto& row : catalogue.rows())
      if (!row.fault.empty()) is_common[row.fault] = row.is_by_application || row.flaps_from > 0;
    const auto subject = [&](const std::string& code) { return is_common.at(code) ? "most_per_hour" : "count"; };
    auto quiet = is_common;
    for (const auto& [key, entry] : tally.entries()) {
      const auto& code = key.first;
      Labels labels = key.second;
      add_names(sysfs, labels);
      labels.emplace("code", code);
      quiet.erase(code);
      const auto& occurrences = entry.occurrences;
      facts.add(subject(code), results::count(is_common.at(code) ? occurrences.per_hour() : occurrences.count()),
                labels);
      facts.add("last", fmt::format("{}: {}", entry.meaning, results::shortened(entry.last, most_of_a_message)),
                std::move(labels));
    }
    for (const auto& [code, common] : quiet) facts.add(subject(code), results::count(0), {{"code", code}});
  }

  std::optional<std::filesystem::path> file_;
  std::optional<double> since_seconds_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<KernelLogCheck>(); }

}  // namespace muster::healthcheck
