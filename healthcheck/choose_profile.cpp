// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "healthcheck/error.hpp"
#include "healthcheck/profile.hpp"
#include "healthcheck/suggest.hpp"
#include "results/quantity.hpp"

namespace muster::healthcheck {
namespace {

// One rule of a profile, and whether this machine keeps it.
struct Rule {
  std::string name;
  std::string wanted;
  std::string found;

  bool holds() const { return wanted == found; }
};

std::string rate(double bits_per_second) {
  return results::to_text(results::Quantity{bits_per_second, results::Unit::bit_per_second});
}

std::vector<Rule> rules(const Match& match, const topology::Traits& traits) {
  std::vector<Rule> given;
  const auto add_count = [&](std::string name, const std::optional<std::size_t>& wanted, std::size_t found) {
    if (wanted) given.push_back({std::move(name), std::to_string(*wanted), std::to_string(found)});
  };
  if (match.gpu_id) given.push_back({"gpu_id", *match.gpu_id, traits.gpu_id.empty() ? "none" : traits.gpu_id});
  add_count("gpu_count", match.gpu_count, traits.gpu_count);
  add_count("nic_count", match.nic_count, traits.nic_count);
  if (match.nic_rate_bits_per_second)
    given.push_back({"nic_rate", rate(*match.nic_rate_bits_per_second), rate(traits.nic_rate_bits_per_second)});
  add_count("cpu_count", match.cpu_count, traits.cpu_count);
  return given;
}

// How well a profile fits.
struct Fit {
  std::filesystem::path file;
  std::vector<Rule> rules;

  std::size_t held() const { return static_cast<std::size_t>(std::ranges::count_if(rules, &Rule::holds)); }
  bool whole() const { return !rules.empty() && held() == rules.size(); }
  bool near() const {
    const auto gpu = std::ranges::find(rules, "gpu_id", &Rule::name);
    return gpu != rules.end() && gpu->holds() && 2 * held() > rules.size();
  }
};

std::string words(const Fit& fit) {
  std::vector<std::string> held;
  std::vector<std::string> broken;
  for (const Rule& rule : fit.rules) {
    if (rule.holds())
      held.push_back(fmt::format("{} {}", rule.name, rule.wanted));
    else
      broken.push_back(fmt::format("{} {} instead of {}", rule.name, rule.found, rule.wanted));
  }
  std::string text = fmt::format("match: {}", fmt::join(held, ", "));
  if (!broken.empty()) text += fmt::format("; but {}", fmt::join(broken, ", "));
  return text;
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

Choice best(const std::filesystem::path& folder, const topology::Traits& traits) {
  std::vector<Fit> fits;
  for (const auto& file : profiles_in(folder)) fits.push_back({file, rules(read_match(file), traits)});
  std::ranges::stable_sort(fits, std::greater{}, &Fit::held);
  for (const auto suits : {&Fit::whole, &Fit::near})
    if (const auto fit = std::ranges::find_if(fits, suits); fit != fits.end()) return {fit->file, words(*fit)};
  return {folder / "generic.json", "no profile matches this machine"};
}

}  // namespace

Choice choose_profile(std::string_view wanted, const std::filesystem::path& folder, const topology::Traits& traits) {
  if (wanted == "auto") return best(folder, traits);
  const bool is_path = wanted.find('/') != wanted.npos || wanted.ends_with(".json");
  const std::filesystem::path file = is_path ? std::filesystem::path(wanted) : folder / fmt::format("{}.json", wanted);
  if (std::filesystem::is_regular_file(file)) return {file, "--profile"};
  if (is_path) throw UsageError(fmt::format("there is no profile file {}", file.string()));
  std::vector<std::string> names = {"auto"};
  for (const auto& each : profiles_in(folder)) names.push_back(each.stem().string());
  throw UsageError(fmt::format("there is no profile '{}'.{} Known are {}; a file must have a / or end in .json", wanted,
                               suggestion(wanted, names), fmt::join(names, ", ")));
}

}  // namespace muster::healthcheck
