// SPDX-License-Identifier: Apache-2.0
#include "results/values/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <ctime>
#include <iterator>

#include "results/strings/names.hpp"

namespace muster::results {
namespace {

constexpr Names<3> tier_names = {"preflight", "quick", "full"};
constexpr Names<12> outcome_names = {"pending", "running",   "finished",    "skipped",       "not_built",   "error",
                                     "crashed", "timed_out", "not_started", "out_of_budget", "interrupted", "in_use"};

constexpr std::array<std::string_view, 16> recorded_prefixes = {
    "NCCL_", "OMPI_", "PMIX_", "PMI_", "UCX_",     "SLURM_", "CUDA_",  "NVIDIA_VISIBLE_DEVICES",
    "OMP_",  "GOMP_", "KMP_",  "MKL_", "NUMEXPR_", "HWLOC_", "RDMAV_", "MLX5_"};
constexpr std::array<std::string_view, 6> secret_words = {"TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"};
// Partitions of InfiniBand, not secrets.
constexpr std::array<std::string_view, 2> public_keys = {"NCCL_IB_PKEY", "UCX_IB_PKEY"};

bool contains(std::span<const std::string> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool looks_secret(std::string_view name) {
  if (std::ranges::find(public_keys, name) != public_keys.end()) return false;
  std::string upper;
  std::ranges::transform(name, std::back_inserter(upper),
                         [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return std::ranges::any_of(secret_words, [&](std::string_view word) { return upper.find(word) != upper.npos; });
}

bool is_recorded(std::string_view name) {
  return std::ranges::any_of(recorded_prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); }) &&
         !looks_secret(name);
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

}  // namespace

std::string_view to_text(Tier tier) { return name_of(tier_names, tier); }

std::optional<Tier> tier_from(std::string_view text) { return named<Tier>(tier_names, text); }

std::string_view to_text(Outcome outcome) { return name_of(outcome_names, outcome); }

std::optional<Outcome> outcome_from(std::string_view text) { return named<Outcome>(outcome_names, text); }

bool is_open(const CheckRun& run) { return run.outcome == Outcome::pending || run.outcome == Outcome::running; }

bool ended_well(const CheckRun& run) {
  return run.outcome == Outcome::finished || run.outcome == Outcome::skipped || run.outcome == Outcome::not_built;
}

Status status_of_checks(const Report& report) {
  Status status = Status::skip;
  bool is_judged = false;
  for (const auto& run : report.checks) {
    status = std::max(status, run.status);
    is_judged = is_judged || !run.verdicts.empty();
  }
  return is_judged ? status : Status::unknown;
}

bool Selection::selects(std::string_view check) const {
  return !contains(skip, check) && (only.empty() || contains(only, check));
}

std::string place(const CheckRun& run) {
  constexpr std::size_t max_named = 4;
  if (run.hosts.empty()) return run.host;
  if (run.hosts.size() > max_named) return fmt::format("{} hosts", run.hosts.size());
  return fmt::format("{}", fmt::join(run.hosts, " "));
}

bool is_of_run(const CheckRun& run, const Labels::value_type& label) {
  const auto& [name, value] = label;
  const auto component = run.component.find(name);
  if (component != run.component.end()) return component->second == value;
  return name == "host" && (value == run.host || value == place(run));
}

void merge(Report& into, Report from) {
  for (Host& host : from.hosts) {
    const auto known = std::ranges::find(into.hosts, host.name, &Host::name);
    if (known == into.hosts.end())
      into.hosts.push_back(std::move(host));
    else
      known->fingerprint.merge(host.fingerprint);
  }
  std::ranges::move(from.checks, std::back_inserter(into.checks));
}

std::map<std::string, std::string, std::less<>> recorded_environment(const char* const* environment) {
  std::map<std::string, std::string, std::less<>> recorded;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const auto equals = entry.find('=');
    if (equals == entry.npos || !is_recorded(entry.substr(0, equals))) continue;
    recorded.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return recorded;
}

std::string utc_now() { return utc(std::chrono::system_clock::now()); }

std::string utc(std::chrono::system_clock::time_point time) {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(time);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milliseconds = now.time_since_epoch().count() % 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, milliseconds);
}

bool is_time(std::string_view text) {
  constexpr std::string_view shape = "0000-00-00T00:00:00";
  if (text.size() <= shape.size() || text.back() != 'Z') return false;
  if (!std::ranges::equal(text.substr(0, shape.size()), shape,
                          [](char letter, char wanted) { return wanted == '0' ? is_digit(letter) : letter == wanted; }))
    return false;
  const auto fraction = text.substr(shape.size(), text.size() - shape.size() - 1);
  return fraction.empty() || (fraction.size() >= 2 && fraction.size() <= 10 && fraction.front() == '.' &&
                              std::ranges::all_of(fraction.substr(1), is_digit));
}

std::optional<std::chrono::sys_seconds> time_from(std::string_view text) {
  if (!is_time(text)) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + digits, value);
    return value;
  };
  using namespace std::chrono;
  const year_month_day date{year{number(0, 4)}, month{static_cast<unsigned>(number(5, 2))},
                            day{static_cast<unsigned>(number(8, 2))}};
  if (!date.ok()) return std::nullopt;
  return sys_days(date) + hours{number(11, 2)} + minutes{number(14, 2)} + seconds{number(17, 2)};
}

}  // namespace muster::results
