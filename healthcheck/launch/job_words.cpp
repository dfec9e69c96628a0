// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/job_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "healthcheck/program/error.hpp"
#include "healthcheck/run/options.hpp"
#include "results/strings/suggest.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::chrono::milliseconds time_to_check_options{5000};
constexpr int refused_usage = 2;

}  // namespace

const Description& job_of(const std::string& name, const std::vector<Description>& checks) {
  std::vector<std::string> known;
  for (const auto& check : checks)
    if (is_job(check.scope)) known.push_back(check.name);
  const auto check = std::ranges::find(checks, name, &Description::name);
  if (check != checks.end() && is_job(check->scope)) return *check;
  throw UsageError(fmt::format("'{}' is not a check that runs as a job.{} Those are: {}", name,
                               results::suggestion(name, known), fmt::join(known, ", ")));
}

std::vector<std::string> command_of_job(std::string program, const std::vector<std::string>& options) {
  auto ours = setting_names();
  ours.insert(ours.end(), {"--report", "--ranks", "--root", "--profile", "--quiet", "--deliver-to", "--hosts-at",
                           "--interface", "--leave-network", "--seats", "--also", "--redact"});
  for (const auto& word : options)
    if (const auto name = word.substr(0, word.find('=')); std::ranges::find(ours, name) != ours.end())
      throw UsageError(fmt::format("{} is told to muster launch: give it before the check", name));
  std::vector<std::string> command{std::move(program)};
  command.insert(command.end(), options.begin(), options.end());
  return command;
}

Guard ask_about_options(std::vector<std::string> command) {
  command.emplace_back("--describe");
  return {command, std::chrono::steady_clock::now() + time_to_check_options};
}

void expect_options_are_right(Guard& asked) {
  const auto ending = asked.ending();
  if (ending.kind == ProcessExit::Kind::exited && ending.code == refused_usage) throw UsageError(ending.last_line);
}

}  // namespace muster::healthcheck
