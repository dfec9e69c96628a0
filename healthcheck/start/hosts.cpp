// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "benchmarks/ranks/launcher.hpp"
#include "healthcheck/program/error.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t max_hosts = 100'000;

using benchmarks::variable;

// How many there are of something; 0 where the text is no number.
std::size_t count_in(std::string_view text) {
  return static_cast<std::size_t>(std::max<std::int64_t>(0, topology::whole_number(text).value_or(0)));
}

// A name becomes a word of ssh's command line.
void expect_name(const std::string& name, std::string_view source) {
  const auto fits = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '.' || letter == '-' || letter == ':' || letter == '_';
  };
  if (name.empty() || name.front() == '-' || !std::ranges::all_of(name, fits))
    throw UsageError(fmt::format("{}: '{}' is not a name of a host", source, name));
}

bool is_loop_back(std::string_view name) { return name == "localhost" || name == "::1" || name.starts_with("127."); }

// A job on one machine under two names would wait for itself.
void expect_apart(const std::vector<std::string>& names, std::string_view source) {
  const auto first = std::ranges::find_if(names, is_loop_back);
  if (first == names.end()) return;
  const auto second = std::find_if(std::next(first), names.end(), is_loop_back);
  if (second != names.end())
    throw UsageError(fmt::format("{}: {} and {} are one machine, this one; name it once, and give --ranks-on-each 2",
                                 source, *first, *second));
}

HostList listed(std::vector<std::string> names, std::string source) {
  HostList list{.names = {}, .source = std::move(source), .slots = std::nullopt};
  std::map<std::string, std::size_t> times;
  for (auto& name : names) {
    expect_name(name, list.source);
    if (++times[name] == 1) list.names.push_back(std::move(name));
  }
  if (list.names.empty()) throw UsageError(fmt::format("{} names no host", list.source));
  expect_apart(list.names, list.source);
  const auto first = times.begin()->second;  // which are its slots, as mpirun counts them
  if (first > 1 && std::ranges::all_of(times, [&](const auto& each) { return each.second == first; }))
    list.slots = first;
  return list;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, separator);)
    if (!word.empty()) words.push_back(word);
  return words;
}

// The full name that the kernel's own table gives this machine, which a pod's has where its Job has a service.
std::string full_name(const topology::Sysfs& sysfs, const std::string& name) {
  std::istringstream lines(sysfs.text("etc/hosts").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string address;
    std::string first;
    words >> address >> first;
    if (first.starts_with(name + ".")) return first;
  }
  return name;
}

// Pods of a Job are called NAME-0.SERVICE, NAME-1.SERVICE ...
HostList of_indexed_job(const topology::Sysfs& sysfs, std::string_view index, std::string_view pods) {
  const auto own = sysfs.text("proc/sys/kernel/hostname").value_or("");
  const auto suffix = fmt::format("-{}", index);
  const auto count = count_in(pods);
  if (count == 0 || count > max_hosts || !own.ends_with(suffix))
    throw UsageError(
        "JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS does not say how many pods the Job has, or this pod is not "
        "named by its index; name the hosts with --hosts");
  const auto domain = full_name(sysfs, own).substr(own.size());
  std::vector<std::string> names;
  for (std::size_t pod = 0; pod < count; ++pod)
    names.push_back(fmt::format("{}-{}{}", own.substr(0, own.size() - suffix.size()), pod, domain));
  return listed(std::move(names), "JOB_COMPLETIONS");
}

[[noreturn]] void refuse(std::string_view list) {
  throw UsageError(fmt::format("'{}' is not a list of hosts as Slurm writes it, such as gpu-[0001-0100],login", list));
}

// "0001-0003" -> 0001 0002 0003; "7" -> 7.
std::vector<std::string> numbers(std::string_view range, std::string_view list) {
  const auto dash = range.find('-');
  const auto first = range.substr(0, dash);
  const auto last = dash == std::string_view::npos ? first : range.substr(dash + 1);
  const auto from = topology::whole_number(first);
  const auto to = topology::whole_number(last);
  if (!from || !to || *to < *from || *to - *from > static_cast<std::int64_t>(max_hosts)) refuse(list);
  std::vector<std::string> found;
  for (auto number = *from; number <= *to; ++number) found.push_back(fmt::format("{:0{}}", number, first.size()));
  return found;
}

// One name with any number of [ranges] in it.
std::vector<std::string> names_of(const std::string& pattern, std::string_view list) {
  const auto open = pattern.find('[');
  if (open == std::string::npos) {
    if (pattern.find_first_of(" \t\n]{}*?") != std::string::npos) refuse(list);
    return {pattern};
  }
  const auto close = pattern.find(']', open);
  if (close == std::string::npos) refuse(list);
  std::vector<std::string> found;
  const auto rest = names_of(pattern.substr(close + 1), list);
  for (const auto& range : split(std::string_view(pattern).substr(open + 1, close - open - 1), ','))
    for (const auto& number : numbers(range, list))
      for (const auto& end : rest) {
        if (found.size() >= max_hosts) refuse(list);
        found.push_back(pattern.substr(0, open) + number + end);
      }
  return found;
}

}  // namespace

HostList read_hostfile(std::string_view option, const std::filesystem::path& file) {
  std::string text;
  try {
    text = results::read_text(file);
  } catch (const results::Error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
  const auto source = fmt::format("{} {}", option, file.string());
  std::vector<std::string> names;
  std::optional<std::size_t> slots;
  std::size_t number = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name;
    if (!(words >> name)) continue;
    for (std::string word; words >> word;) {
      const auto count = word.starts_with("slots=") ? count_in(word.substr(6)) : 0;
      if (count == 0)
        throw UsageError(fmt::format("{}, line {}: '{}' is not understood; write NAME slots=N", source, number, word));
      if (slots.value_or(count) != count)
        throw UsageError(fmt::format("{}, line {}: {} slots where others have {}; a job has as many ranks on each host",
                                     source, number, count, *slots));
      slots = count;
    }
    names.push_back(std::move(name));
  }
  auto list = listed(std::move(names), source);
  if (slots) list.slots = slots;
  return list;
}

std::vector<std::string> expanded(std::string_view list) {
  std::vector<std::string> names;
  std::string pattern;
  bool inside = false;
  for (const char letter : std::string(list) + ',') {
    inside = letter == '[' || (inside && letter != ']');
    if (letter != ',' || inside) {
      pattern += letter;
      continue;
    }
    pattern = topology::trimmed(pattern);
    if (!pattern.empty()) std::ranges::move(names_of(pattern, list), std::back_inserter(names));
    pattern.clear();
  }
  if (inside) refuse(list);
  return names;
}

HostList find_hosts(const HostRequest& request, const topology::Sysfs& sysfs, const char* const* environment) {
  if (!request.hosts.empty() && request.hostfile)
    throw UsageError("--hosts and --hostfile both name the hosts; leave one of them away");
  if (!request.hosts.empty()) return listed(request.hosts, "--hosts");
  if (request.hostfile) return read_hostfile("--hostfile", *request.hostfile);

  auto task = request.task;
  std::ranges::replace(task, '-', '_');
  const auto file = fmt::format("etc/volcano/{}.host", task);
  if (const auto text = sysfs.text(file)) return listed(split(*text, '\n'), file);
  std::ranges::transform(task, task.begin(), [](unsigned char letter) { return std::toupper(letter); });
  const auto name = fmt::format("VC_{}_HOSTS", task);
  if (const auto text = variable(environment, name)) return listed(split(*text, ','), name);
  if (const auto index = variable(environment, "JOB_COMPLETION_INDEX"))
    return of_indexed_job(sysfs, *index, variable(environment, "JOB_COMPLETIONS").value_or(""));
  for (const std::string_view list : {"SLURM_JOB_NODELIST", "SLURM_NODELIST"})
    if (const auto text = variable(environment, list)) return listed(expanded(*text), std::string(list));
  return {.names = {}, .source = "this machine alone", .slots = std::nullopt};
}

}  // namespace muster::healthcheck
