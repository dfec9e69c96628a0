// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "healthcheck/catalogue/for_renderers.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/check/topology_file.hpp"
#include "healthcheck/expectations/profile_lint.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/outputs.hpp"
#include "healthcheck/program/private_folder.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/json/report_json.hpp"
#include "results/render/formats.hpp"
#include "results/strings/suggest.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "results/system/random_word.hpp"
#include "results/system/version.hpp"
#include "topology/kernel/error.hpp"
#include "topology/machine/machine_summary.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::healthcheck {
namespace {

topology::Sysfs open_root(const std::filesystem::path& root) {
  try {
    return topology::Sysfs(root);
  } catch (const topology::Error& error) {
    throw UsageError(fmt::format("--root: {}", error.what()));
  }
}

std::filesystem::path usable(std::string_view kind, const std::filesystem::path& folder) {
  try {
    results::expect_room(folder);
  } catch (const results::Error& error) {
    throw UsageError(fmt::format("the {0} folder {1} cannot be used ({2}); name another with --{0}", kind,
                                 folder.string(), error.what()));
  }
  return std::filesystem::absolute(folder);
}

RunSettings usable(RunSettings settings) {
  settings.scratch = usable("scratch", settings.scratch ? *settings.scratch : temporary_folder());
  if (settings.state) settings.state = usable("state", *settings.state);
  for (const auto& name : settings.record)
    if (name.empty() || name.find('=') != name.npos)
      throw UsageError(fmt::format("--record: '{}' is not a name; give the NAME of a variable, without a value", name));
  if (settings.topology) {
    topology::of_topology_file(*settings.topology, topology::read_topology);
    settings.topology = std::filesystem::absolute(*settings.topology);
  }
  return settings;
}

void add_settings(CommandLine& line, RunSettings& settings) {
  line.add("--tier", settings.tier, "How long to look: preflight, quick or full");
  line.add("--topology", settings.topology, "The topology file (default: what NCCL reads: NCCL_TOPO_FILE, nccl.conf)");
  line.add_folder("--scratch", settings.scratch, "Folder for temporary files (default: the system's)");
  line.add_folder("--state", settings.state,
                  "Folder where runs leave their counters, so that the next looks at the time between");
  line.add(
      "--allow-raw-read", settings.allow_raw_read,
      "Read each NVMe drive as a whole, whatever is on it, instead of a file of our own; nothing is written to it");
  line.add_list("--record", settings.record,
                "Keep these environment variables in the report, beside those of MPI, NCCL and CUDA");
}

}  // namespace

std::filesystem::path default_report(std::string_view check) { return fmt::format("muster-{}-report.json", check); }

void add_view(CommandLine& line, Options& options) {
  line.add("--all", options.all, "Show every value in the table");
  line.add_list("--metric", options.metrics, "Show the values of these metrics alone: muster explain lists them");
  line.add("--redact", options.redact,
           "Leave names, serial numbers and addresses out of what is shown, and of what --also writes");
  std::vector<AlsoForm> forms;
  for (const auto& name : results::format_names())
    forms.push_back({name, std::string(results::format_of(name).begins)});
  line.add_also(options.also, forms);
}

void expect_metric(const Options& options) {
  if (options.metrics.empty()) return;
  const Metrics& known = known_metrics();
  for (const std::string& metric : options.metrics)
    if (known.find(metric) == nullptr)
      throw UsageError(fmt::format("--metric: there is no metric '{}'.{} muster explain lists all", metric,
                                   results::suggestion(metric, known.names())));
}

std::vector<std::string> setting_names() {
  auto words = to_arguments({.topology = "", .scratch = "", .state = "", .allow_raw_read = true, .record = {""}});
  std::erase_if(words, [](const std::string& word) { return !word.starts_with("--"); });
  return words;
}

std::vector<std::string> to_arguments(const RunSettings& settings) {
  std::vector<std::string> words{"--tier", std::string(results::to_text(settings.tier))};
  const auto add = [&](const char* option, const std::optional<std::filesystem::path>& value) {
    if (value) words.insert(words.end(), {option, value->string()});
  };
  add("--topology", settings.topology);
  add("--scratch", settings.scratch);
  add("--state", settings.state);
  if (settings.allow_raw_read) words.emplace_back("--allow-raw-read");
  for (const auto& name : settings.record) words.insert(words.end(), {"--record", name});
  return words;
}

void add_options(CommandLine& line, Options& options) {
  line.group("Machine");
  line.add("--profile", options.profile, "What this machine must reach: auto, a name or a file");
  line.add_folder("--root", options.root, "Read the kernel's files from this captured tree");
  add_settings(line, options.settings);
  line.group("Report");
  line.add_output("--report", options.report, results::Document::report, "Where the JSON report goes; - is stdout");
  line.add_output("--summary", options.summary, results::Document::summary,
                  "Where a JSON summary of at most 4 KiB goes");
  line.add("--json", options.json, "Print the report on stdout, and the table on stderr");
  line.add("--quiet", options.quiet, "Print no table");
  add_view(line, options);
}

Setup prepare(const Options& options) {
  const auto places = installation();
  expect_metric(options);
  auto sysfs = open_root(options.root);
  const auto machine = topology::machine_summary(sysfs);
  const auto choice = choose_profile(options.profile, places.profiles, machine);
  Faults faults(places.faults);
  auto profile = read_clean(choice, places, faults);
  results::ProfileReference reference{
      .name = profile.name, .sha256 = profile.sha256, .chosen_by = choice.chosen_by, .doubt = choice.doubt};
  return {.sysfs = std::move(sysfs),
          .machine = machine,
          .wanted_profile = choice.wanted(),
          .profile = std::move(profile),
          .reference = std::move(reference),
          .faults = std::move(faults),
          .settings = usable(options.settings)};
}

results::Report begin_report(const Setup& setup, results::Selection selection) {
  results::Report report;
  report.version = results::version();
  report.run_id = results::random_word();
  report.started = results::utc_now();
  report.profile = setup.reference;
  report.selection = std::move(selection);
  report.environment = results::recorded_environment(environ);
  for (const auto& name : setup.settings.record)
    if (const char* const value = std::getenv(name.c_str())) report.environment.emplace(name, value);
  const auto sysfs = setup.sysfs.quiet();  // checks tell of damaged files
  auto fingerprint = topology::fingerprint(sysfs);
  fingerprint.merge(topology_record(sysfs, setup.settings.topology));
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

results::View view_of(const Options& options, int descriptor) {
  auto view = view_of(descriptor);
  view.all = options.all;
  view.metrics = options.metrics;
  view.redact = options.redact;
  view.catalogue = &known_catalogue();
  return view;
}

void write_also(const results::Report& report, const Options& options) {
  const auto view = view_of(options, -1);  // no terminal
  write_also(options.also, [&](const std::string& format) { return results::rendered(format, report, view); });
}

int print_result(const results::Report& report, const Options& options) {
  const bool has_document = options.json || options.report == standard_stream;
  write_also(report, options);
  const auto view = view_of(options, has_document ? STDERR_FILENO : STDOUT_FILENO);
  if (has_document) print_document(results::rendered("json", report, view));
  if (!options.quiet && has_document) tell(results::rendered("text", report, view));
  if (!options.quiet && !has_document) print_now(results::rendered("text", report, view));
  return results::exit_code(report.status);
}

}  // namespace muster::healthcheck
