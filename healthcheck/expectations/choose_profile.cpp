// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/program/error.hpp"
#include "results/strings/suggest.hpp"
#include "results/values/quantity.hpp"

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Unit;
using topology::MachineSummary;

// What a machine may have less of, and still be of its kind: a port that came up slow, a CPU that is offline.
constexpr double tenth = 0.1;
constexpr double fifth = 0.2;
constexpr double fast_port = 200e9;  // bit/s: no network but one between GPUs

// How a machine stands to one rule of a profile. What it lacks altogether tells nothing of its kind.
enum class Stand { holds, less, lacks, contradicts };

struct Rule {
  std::string name;
  std::string wanted;
  std::string found;
  Stand stand;
  bool is_of_devices = false;  // GPUs, adapters and drives, which servers without GPUs have not
};

Stand stand(double wanted, double found, double min_share) {
  if (found == wanted) return Stand::holds;
  if (found == 0) return Stand::lacks;
  return found < wanted && found >= min_share * wanted ? Stand::less : Stand::contradicts;
}

std::vector<Rule> rules(const Match& match, const MachineSummary& machine) {
  std::vector<Rule> given;
  const auto add_count = [&](std::string name, const std::optional<std::size_t>& wanted, std::size_t found,
                             double min_share, bool is_of_devices) {
    if (wanted)
      given.push_back({std::move(name), std::to_string(*wanted), std::to_string(found),
                       stand(static_cast<double>(*wanted), static_cast<double>(found), min_share), is_of_devices});
  };
  if (match.gpu_id)
    given.push_back({"gpu_id", *match.gpu_id, machine.gpu_id.empty() ? "none" : machine.gpu_id,
                     machine.gpu_id.empty()            ? Stand::lacks
                     : machine.gpu_id == *match.gpu_id ? Stand::holds
                                                       : Stand::contradicts,
                     true});
  add_count("gpu_count", match.gpu_count, machine.gpu_count, 0, true);
  add_count("nic_count", match.nic_count, machine.nic_count, 0, true);
  if (const auto wanted = match.nic_rate_bits_per_second) {
    const auto text = [](double rate) { return results::to_text(Quantity{rate, Unit::bit_per_second}); };
    const auto found = machine.nic_rate_bits_per_second;
    given.push_back({"nic_rate", text(*wanted), text(found), stand(*wanted, found, 0), true});
  }
  add_count("cpu_count", match.cpu_count, machine.cpu_count, 1 - tenth, false);
  add_count("numa_count", match.numa_count, machine.numa_count, 1, false);
  add_count("drive_count", match.drive_count, machine.drive_count, 0, true);
  if (const auto wanted = match.memory_bytes) {
    const auto text = [](double bytes) { return results::to_text(Quantity{bytes, Unit::byte}); };
    const auto found = machine.memory_bytes;
    const bool is_alike = std::abs(found - *wanted) <= tenth * *wanted;
    given.push_back(
        {"memory", text(*wanted), text(found), is_alike ? Stand::holds : stand(*wanted, found, 1 - fifth), false});
  }
  return given;
}

// How well a profile fits.
struct Fit {
  std::filesystem::path file;
  std::vector<Rule> rules;

  std::size_t count(Stand wanted) const {
    return static_cast<std::size_t>(std::ranges::count(rules, wanted, &Rule::stand));
  }
  bool whole() const { return count(Stand::holds) == rules.size(); }
  double score() const {
    return static_cast<double>(count(Stand::holds)) + static_cast<double>(count(Stand::less)) / 2 -
           static_cast<double>(count(Stand::contradicts));
  }
  // Whether most of what the machine has says so, and not only what other servers have too.
  bool near(const MachineSummary& machine) const {
    const auto is_had = [](const Rule& rule) {
      return rule.is_of_devices && (rule.stand == Stand::holds || rule.stand == Stand::less);
    };
    const bool has_device = std::ranges::any_of(rules, is_had);
    const bool is_of_gpus = has_device || !machine.gpu_driver.empty() || !machine.topology_file.empty();
    return is_of_gpus && 2 * score() > static_cast<double>(rules.size() - count(Stand::lacks));
  }
};

std::string name_of(const Fit& fit) { return fit.file.stem().string(); }

std::string broken_rules(const Fit& fit, const std::function<bool(const Rule&)>& is_wanted) {
  std::vector<std::string> broken;
  for (const Rule& rule : fit.rules)
    if (is_wanted(rule)) broken.push_back(fmt::format("{} {} instead of {}", rule.name, rule.found, rule.wanted));
  return fmt::format("{}", fmt::join(broken, ", "));
}

std::string words(const Fit& fit) {
  std::vector<std::string> held;
  for (const Rule& rule : fit.rules)
    if (rule.stand == Stand::holds) held.push_back(fmt::format("{} {}", rule.name, rule.wanted));
  std::string text = fmt::format("match: {}", fmt::join(held, ", "));
  const auto broken = broken_rules(fit, [](const Rule& rule) { return rule.stand != Stand::holds; });
  if (!broken.empty()) text += "; but " + broken;
  return text;
}

// By how much it won.
std::string ahead_of(const std::vector<Fit>& fits, std::size_t chosen) {
  if (chosen >= fits.size()) return "";
  const auto& next = fits[chosen];
  return fmt::format("; next is {} by {} of {}", name_of(next), next.count(Stand::holds), next.rules.size());
}

std::vector<std::filesystem::path> profiles_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  if (error) throw UsageError(fmt::format("the profiles in {} cannot be read: {}", folder.string(), error.message()));
  std::ranges::sort(files);
  return files;
}

// "p5.48xlarge", "g6e.xlarge": Amazon EC2 has no other families of these letters.
bool is_gpu_size(std::string_view system) {
  const bool is_family =
      system.size() > 2 && (system[0] == 'p' || system[0] == 'g') && system[1] >= '0' && system[1] <= '9';
  return is_family && system.find('.') != std::string_view::npos;
}

// Why this machine may be one for which generic expects too little; empty for one without a sign of GPUs.
std::string sign_of_gpus(const MachineSummary& machine) {
  if (!machine.gpu_driver.empty()) return fmt::format("the driver {} is loaded", machine.gpu_driver);
  if (machine.nic_rate_bits_per_second >= fast_port)
    return fmt::format("it has an InfiniBand port of {}",
                       results::to_text(Quantity{machine.nic_rate_bits_per_second, Unit::bit_per_second}));
  if (is_gpu_size(machine.system)) return fmt::format("it is a {}", machine.system);
  if (!machine.topology_file.empty()) return fmt::format("NCCL is told of {}", machine.topology_file);
  return "";
}

Choice generic(const std::filesystem::path& folder, const std::vector<Fit>& fits, const MachineSummary& machine) {
  Choice choice{.files = {folder / "generic.json"}, .chosen_by = "no profile matches this machine", .doubt = {}};
  const auto sign = sign_of_gpus(machine);
  if (sign.empty() || fits.empty()) return choice;
  choice.doubt = fmt::format(
      "generic expects no speed and no number of devices, but {}; the nearest profile, {}, was not taken for {}", sign,
      name_of(fits.front()), broken_rules(fits.front(), [](const Rule& rule) { return rule.stand != Stand::holds; }));
  return choice;
}

Choice best(const std::filesystem::path& folder, const MachineSummary& machine) {
  std::vector<Fit> fits;
  for (const auto& file : profiles_in(folder))
    if (Fit fit{file, rules(read_match(file), machine)}; !fit.rules.empty()) fits.push_back(std::move(fit));
  std::ranges::stable_sort(fits, std::greater{}, [](const Fit& fit) { return std::pair(fit.whole(), fit.score()); });
  if (fits.empty() || !(fits.front().whole() || fits.front().near(machine))) return generic(folder, fits, machine);
  const auto& first = fits.front();
  Choice choice{.files = {first.file}, .chosen_by = words(first), .doubt = {}};
  while (!first.whole() && choice.files.size() < fits.size() && fits[choice.files.size()].score() == first.score())
    choice.files.push_back(fits[choice.files.size()].file);
  choice.chosen_by += ahead_of(fits, choice.files.size());
  const auto others = broken_rules(first, [](const Rule& rule) { return rule.stand == Stand::contradicts; });
  if (!others.empty()) choice.doubt = fmt::format("it is not a machine of {}: {}", choice.names(), others);
  return choice;
}

// A file, or a name in the folder.
std::filesystem::path file_of(std::string_view wanted, const std::filesystem::path& folder) {
  const bool is_path = wanted.find('/') != wanted.npos || wanted.ends_with(".json");
  std::filesystem::path file = is_path ? std::filesystem::path(wanted) : folder / fmt::format("{}.json", wanted);
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error)) return file;
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    throw UsageError(fmt::format("cannot read {}: {}", file.string(), error.message()));
  if (is_path) throw UsageError(fmt::format("there is no profile file {}", file.string()));
  std::vector<std::string> names = {"auto"};
  for (const auto& each : profiles_in(folder)) names.push_back(each.stem().string());
  throw UsageError(fmt::format("there is no profile '{}'.{} Known are {}; a file must have a / or end in .json", wanted,
                               results::suggestion(wanted, names), fmt::join(names, ", ")));
}

}  // namespace

Profile Choice::read(const std::function<Profile(const std::filesystem::path&)>& read_file) const {
  std::vector<Profile> profiles;
  for (const auto& file : files) profiles.push_back(read_file(file));
  return common(std::move(profiles));
}

std::string Choice::wanted() const {
  return files.size() == 1 ? std::filesystem::absolute(files.front()).string() : names();
}

std::string Choice::names() const {
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.stem().string());
  return fmt::format("{}", fmt::join(names, "+"));
}

Choice choose_profile(std::string_view wanted, const std::filesystem::path& folder,
                      const topology::MachineSummary& machine) {
  if (wanted == "auto") return best(folder, machine);
  Choice choice{.files = {}, .chosen_by = "--profile", .doubt = {}};
  std::error_code none;
  const bool is_one = wanted.find('/') != wanted.npos || std::filesystem::is_regular_file(wanted, none);
  for (std::size_t at = 0; at <= wanted.size();) {
    const auto end = is_one ? wanted.size() : std::min(wanted.find('+', at), wanted.size());
    choice.files.push_back(file_of(wanted.substr(at, end - at), folder));
    at = end + 1;
  }
  return choice;
}

}  // namespace muster::healthcheck
