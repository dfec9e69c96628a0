// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <system_error>

#include "healthcheck/command_line.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/installation.hpp"
#include "healthcheck/launch/letterbox.hpp"
#include "healthcheck/profile_lint.hpp"
#include "healthcheck/topology_file.hpp"
#include "results/error.hpp"
#include "results/file.hpp"
#include "results/random_word.hpp"
#include "results/report_json.hpp"
#include "results/text.hpp"
#include "results/version.hpp"
#include "topology/error.hpp"
#include "topology/nccl_xml.hpp"
#include "topology/traits.hpp"

namespace muster::healthcheck {
namespace {

topology::Sysfs open_root(const std::filesystem::path& root) {
  try {
    return topology::Sysfs(root);
  } catch (const topology::Error& error) {
    throw UsageError(fmt::format("--root: {}", error.what()));
  }
}

// Proves by writing that there is room for what will be written there. Throws results::Error.
void probe(const std::filesystem::path& folder) {
  const auto file = folder / fmt::format(".muster-probe-{}", getpid());
  results::write_atomically(file, std::string(std::size_t{64} * 1024, '\n'));
  std::filesystem::remove(file);
}

// The summary alone may be a file that is mounted by itself.
void write_summary(const std::filesystem::path& file, std::string_view text) {
  if (results::is_mounted(file))
    results::write_in_place(file, text);
  else
    results::write_atomically(file, text);
}

void expect_writable(std::string_view option, const std::filesystem::path& file) {
  try {
    if (results::is_mounted(file))
      results::write_in_place(file, "");
    else
      probe(file.parent_path());
  } catch (const results::Error& error) {
    throw UsageError(
        fmt::format("{} {} cannot be written ({}); name another place", option, file.string(), error.what()));
  }
}

std::filesystem::path usable(std::string_view kind, const std::filesystem::path& folder) {
  try {
    probe(folder);
  } catch (const results::Error& error) {
    throw UsageError(fmt::format("the {0} folder {1} cannot be used ({2}); name another with --{0}", kind,
                                 folder.string(), error.what()));
  }
  return std::filesystem::absolute(folder);
}

std::optional<std::filesystem::path> usable_topology(const std::optional<std::filesystem::path>& file) {
  if (!file) return std::nullopt;
  topology::of_topology_file(*file, topology::read_topology);
  return std::filesystem::absolute(*file);
}

}  // namespace

void add_options(CommandLine& line, Options& options) {
  line.add("--profile", options.profile, "What this machine must reach: auto, a name or a file");
  line.add("--tier", options.tier, "How long to look: preflight, quick or full");
  line.add("--report", options.report, "Where the JSON report goes");
  line.add("--summary", options.summary, "Where a JSON summary of at most 4 KiB goes");
  line.add("--root", options.root, "Read the kernel's files from this captured tree");
  line.add("--topology", options.topology, "The topology file (default: what NCCL reads: NCCL_TOPO_FILE, nccl.conf)");
  line.add("--scratch", options.scratch, "Folder for temporary files (default: the system's)");
  line.add("--state", options.state,
           "Folder where runs leave their counters, so that the next looks at the time between");
  line.add(
      "--allow-raw-read", options.allow_raw_read,
      "Read each NVMe drive as a whole, whatever is on it, instead of a file of our own; nothing is written to it");
  line.add("--json", options.json, "Print the report on stdout");
  line.add("--quiet", options.quiet, "Print no table");
}

void expect_writable(const Options& options) {
  if (options.deliver_to) return;
  const auto place = [](const std::filesystem::path& file) {
    return std::filesystem::absolute(file).lexically_normal();
  };
  if (options.summary && place(*options.summary) == place(options.report))
    throw UsageError(
        fmt::format("--summary {} is where the report goes; name another place", options.summary->string()));
  expect_writable("--report", options.report);
  if (options.summary) expect_writable("--summary", *options.summary);
}

Setup prepare(const Options& options) {
  const auto places = installation();
  auto sysfs = open_root(options.root);
  const auto traits = topology::traits(sysfs);
  const auto choice = choose_profile(options.profile, places.profiles, traits);
  auto profile = choice.read();
  Faults faults(places.faults);
  expect_clean(choice.files, places, faults);
  validate(profile, faults);
  results::ProfileReference reference{
      .name = profile.name, .sha256 = profile.sha256, .chosen_by = choice.chosen_by, .doubt = choice.doubt};
  return {.sysfs = std::move(sysfs),
          .traits = traits,
          .wanted_profile = choice.wanted(),
          .profile = std::move(profile),
          .reference = std::move(reference),
          .faults = std::move(faults),
          .scratch = usable("scratch", options.scratch.value_or(std::filesystem::temp_directory_path())),
          .state = options.state ? std::optional(usable("state", *options.state)) : std::nullopt,
          .topology = usable_topology(options.topology)};
}

results::Report begin_report(const Setup& setup, results::Selection selection) {
  results::Report report;
  report.version = results::version();
  report.run_id = results::random_word();
  report.started = results::utc_now();
  report.profile = setup.reference;
  report.selection = std::move(selection);
  report.environment = results::recorded_environment(environ);
  const auto sysfs = setup.sysfs.quiet();  // checks tell of damaged files
  auto fingerprint = topology::fingerprint(sysfs);
  fingerprint.merge(topology_record(sysfs, setup.topology));
  const auto name = fingerprint.find("hostname");
  report.hosts = {{.name = name == fingerprint.end() ? "localhost" : name->second, .fingerprint = fingerprint}};
  return report;
}

results::Report begin_report(const Setup& setup, results::Tier tier, const std::string& check) {
  auto report = begin_report(setup, {.tier = tier, .only = {check}, .skip = {}});
  auto& run = report.checks.emplace_back();
  run.check = check;
  run.host = report.hosts.front().name;
  return report;
}

void write(const results::Report& report, const Options& options) {
  if (options.deliver_to) return;
  try {
    const auto text = results::to_json(report);
    results::write_atomically(options.report, text);
    if (options.summary) write_summary(*options.summary, results::summary_json(report, options.report, text));
  } catch (const results::Error& error) {
    throw UsageError(fmt::format("the report {} or its summary cannot be written ({}); name another place",
                                 options.report.string(), error.what()));
  }
}

void write_last(const results::Report& report, const Options& options) {
  if (!options.deliver_to) return write(report, options);
  try {
    deliver(results::to_json(report), *options.deliver_to);
  } catch (const std::system_error& error) {
    auto kept = options;
    kept.deliver_to.reset();
    write(report, kept);
    fmt::print(stderr, "the report is {} on {}, for it could not be delivered: {}\n",
               std::filesystem::absolute(options.report).string(), report.hosts.front().name, error.what());
  }
}

int conclude(const results::Report& report, const Options& options) {
  if (!options.quiet) {
    const auto colour = isatty(STDERR_FILENO) != 0 ? results::Colour::always : results::Colour::never;
    fmt::print(stderr, "{}", results::to_text(report, colour));
  }
  if (options.json) fmt::print("{}", results::to_json(report));
  return results::exit_code(report.status);
}

}  // namespace muster::healthcheck
