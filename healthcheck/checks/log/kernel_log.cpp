// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/kernel_facts.hpp"
#include "healthcheck/parts/log/catalogue.hpp"
#include "healthcheck/parts/log/incident_facts.hpp"
#include "healthcheck/parts/log/incidents.hpp"
#include "healthcheck/parts/log/moment.hpp"
#include "healthcheck/parts/log/reading.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "topology/kernel/error.hpp"
#include "topology/kernel/uptime.hpp"
#include "topology/log/kernel_log.hpp"

namespace muster::healthcheck {
namespace {

using topology::Sysfs;

constexpr auto ring = "dev/kmsg";

// So many seconds before it.
Moment before(Moment moment, double seconds) {
  if (moment.seconds) *moment.seconds -= seconds;
  if (moment.date) *moment.date -= seconds;
  return moment;
}

// Where the log ends.
Moment end_of(const std::filesystem::path& file) {
  Moment end;
  topology::KernelLog log(file);
  while (const auto message = log.next())
    if (message->seconds || message->date) end = moment(*message);
  return end;
}

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
    line.add("--file", file_,
             "Read this file, as of dmesg, journalctl or a system log, instead of the ring dev/kmsg; - is stdin");
    line.add("--messages", own_messages_,
             "Messages of your own, before those of muster: what they are, or that they are nothing (default: "
             "$MUSTER_KERNEL_MESSAGES)");
    line.add_positive("--since", since_seconds_,
                      "Only messages of so many seconds until the log's end (default: all of the last boot)");
  }

  void expect_possible(const Context& /*context*/) const override {
    if (own_messages_) rows();
    if (!file_) return;
    if (*file_ == "-") {
      if (since_seconds_)
        throw UsageError("--since needs the end of the log first: save what comes on stdin to a file");
      return;
    }
    try {
      topology::KernelLog log(*file_);
      log.next();
    } catch (const topology::Error& error) {
      throw UsageError(fmt::format("--file: {}", error.what()));
    }
  }

  void run(Context& context) override {
    context.phase("reading the kernel's log");
    const Catalogue catalogue(rows());
    const auto& sysfs = context.sysfs();
    if (!file_ && !sysfs.exists(ring))
      throw Skip(sysfs.live()
                     ? "there is no dev/kmsg, as in most containers; mount it, or name a copy of the log with --file"
                     : "there is no dev/kmsg in this captured tree; name a copy of the log with --file");
    LogReading reading(catalogue, since(sysfs));
    topology::KernelLog log(file_.value_or(sysfs.path(ring)));
    reading.read(log);
    KernelFacts facts(context, "kernel_log");
    add_facts_of_log(facts, log, reading);
    if (own_messages_) facts.add("own_messages", own_messages_->string());
    IncidentFacts incidents(facts, sysfs, reading.incidents(), file_ ? reading.end() : now(sysfs));
    incidents.add(catalogue);
    facts.save();
  }

 private:
  std::vector<KernelFault> rows() const {
    const auto& ours = installation();
    if (!own_messages_) return read_kernel_faults(ours.kernel_messages);
    return read_kernel_faults(ours.kernel_messages, *own_messages_, Faults(ours.faults));
  }

  static Moment now(const Sysfs& sysfs) { return {.seconds = topology::uptime_seconds(sysfs)}; }

  // Counted from the end of the log: of the ring, that is now.
  std::optional<Moment> since(const Sysfs& sysfs) const {
    if (!since_seconds_) return std::nullopt;
    const Moment end = file_ ? end_of(*file_) : now(sysfs);
    if (!end.seconds && !end.date)
      throw topology::Error(file_ ? file_->string() : "proc/uptime",
                            "has no time, so that the meaning of --since is unclear");
    return before(end, *since_seconds_);
  }

  static void add_facts_of_log(KernelFacts& facts, const topology::KernelLog& log, const LogReading& reading) {
    facts.add("messages", results::count(log.messages()));
    facts.add("boots", results::count(reading.boots()));
    facts.add("cut_lines", results::count(log.cut_lines()));
    const auto lost_before = reading.is_covered() ? 0 : log.lost_before();
    facts.add("lost", results::count(lost_before), {{"when", "before"}});
    facts.add("lost", results::count(log.lost_meanwhile()), {{"when", "while it was read"}});
    const auto problem = log.problem();
    facts.add("foreign_lines", results::count(problem.empty() ? 0 : log.lines_without_front()));
    facts.add_text("problem", problem, {});
  }

  static std::optional<std::filesystem::path> messages_of_environment() {
    const char* const file = std::getenv("MUSTER_KERNEL_MESSAGES");
    if (file == nullptr || *file == '\0') return std::nullopt;
    return file;
  }

  std::optional<std::filesystem::path> file_;
  std::optional<std::filesystem::path> own_messages_ = messages_of_environment();
  std::optional<double> since_seconds_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<KernelLogCheck>(); }

}  // namespace muster::healthcheck
