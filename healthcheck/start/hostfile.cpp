// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/hostfile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>

#include "healthcheck/program/error.hpp"
#include "healthcheck/start/host_ranges.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

// What a line says of its hosts behind their names.
struct HostSettings {
  std::optional<std::size_t> slots;
  std::optional<std::size_t> most;  // Open MPI takes it for the slots where those are not told
  std::string user;
};

// The line without its comment, in words, of which '=' is one.
std::vector<std::string> words_of_line(std::string_view line) {
  std::string spaced;
  for (const char letter : line.substr(0, std::min(line.find('#'), line.find("//"))))
    spaced += letter == '=' ? std::string(" = ") : std::string(1, letter);
  const auto words = topology::words(spaced);
  return {words.begin(), words.end()};
}

bool is_slots(std::string_view key) { return key == "slots" || key == "cpu" || key == "count"; }

// "max_slots", "slots-max", "cpu_max" ...
bool is_most(std::string_view key) {
  for (const std::string_view separator : {"_", "-"}) {
    const auto at = key.find(separator);
    if (at == key.npos) continue;
    const auto first = key.substr(0, at);
    const auto last = key.substr(at + 1);
    if ((first == "max" && is_slots(last)) || (is_slots(first) && last == "max")) return true;
  }
  return false;
}

bool is_user(std::string_view key) {
  constexpr std::array<std::string_view, 4> names{"user", "username", "user-name", "user_name"};
  return std::ranges::find(names, key) != names.end();
}

// The settings behind the name, which is the first word.
HostSettings settings_of(const std::vector<std::string>& words, const std::string& place) {
  HostSettings settings;
  for (std::size_t i = 1; i < words.size(); i += 3) {
    const auto& key = words[i];
    const bool is_pair = i + 2 < words.size() && words[i + 1] == "=" && words[i + 2] != "=";
    const auto text = is_pair ? key + "=" + words[i + 2] : key;
    const auto number = is_pair ? slots_from(words[i + 2]) : std::nullopt;
    if (key == "port" && is_pair)
      throw UsageError(
          fmt::format("{}: '{}' is of one host; give --port {}, which is of all", place, text, words[i + 2]));
    if (is_slots(key) && number && !settings.slots)
      settings.slots = number;
    else if (is_most(key) && number && !settings.most)
      settings.most = number;
    else if (is_user(key) && is_pair && settings.user.empty())
      settings.user = words[i + 2];
    else
      throw UsageError(fmt::format("{}: '{}' is not understood; write NAME slots=N, a host on each line", place, text));
  }
  if (settings.most && settings.slots.value_or(*settings.most) > *settings.most)
    throw UsageError(fmt::format("{}: {} slots are more than the {} that the line allows; correct one of them", place,
                                 *settings.slots, *settings.most));
  return settings;
}

// The host with what its line says.
NamedHost with(NamedHost host, const HostSettings& settings) {
  const auto slots = settings.slots ? settings.slots : settings.most;
  if (slots && host.slots)
    throw UsageError(fmt::format("{}: {} has two numbers of slots; leave one away", host.place, host.name));
  if (slots) host.slots = slots;
  if (settings.user.empty()) return host;
  if (!host.user.empty()) throw UsageError(fmt::format("{}: {} has two users; leave one away", host.place, host.name));
  host.user = named_host(settings.user + "@" + host.name, host.place).user;
  return host;
}

// mpirun refuses it, too: nobody knows whether the second line adds to the first, or stands in its place.
void expect_slots_once(const std::vector<NamedHost>& hosts, const HostSettings& settings,
                       std::set<std::string>& known) {
  if (!settings.slots && !settings.most) return;
  for (const auto& host : hosts)
    if (!known.insert(same_name(host.name)).second)
      throw UsageError(fmt::format("{}: the slots of {} stand on two lines; name it once", host.place, host.name));
}

}  // namespace

std::vector<NamedHost> hosts_of_lines(std::string_view text, std::string_view source) {
  std::vector<NamedHost> hosts;
  std::set<std::string> with_slots;
  std::size_t number = 0;
  for (const auto line : topology::lines(text)) {
    const auto place = fmt::format("{}, line {}", source, ++number);
    const auto words = words_of_line(line);
    if (words.empty()) continue;
    const auto settings = settings_of(words, place);
    auto named = hosts_of_list(words.front(), place);
    for (auto& host : named) host = with(std::move(host), settings);
    expect_slots_once(named, settings, with_slots);
    std::ranges::move(named, std::back_inserter(hosts));
  }
  return hosts;
}

std::vector<NamedHost> read_hostfile(std::string_view option, const std::filesystem::path& file) {
  try {
    return hosts_of_lines(results::read_text(file), fmt::format("{} {}", option, file.string()));
  } catch (const results::Error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

std::vector<NamedHost> hosts_of_grid_engine(std::string_view text, std::string_view source) {
  std::vector<NamedHost> hosts;
  std::size_t number = 0;
  for (const auto line : topology::lines(text)) {
    const auto place = fmt::format("{}, line {}", source, ++number);
    const auto words = topology::words(line);
    if (words.empty()) continue;
    auto host = named_host(words.front(), place);
    host.slots = words.size() > 1 ? slots_from(words[1]) : std::nullopt;
    if (!host.slots)
      throw UsageError(
          fmt::format("{}: '{}' is not NAME SLOTS QUEUE RANGE, as Grid Engine writes it; give --hostfile with "
                      "the job's hosts",
                      place, topology::trimmed(line)));
    hosts.push_back(std::move(host));
  }
  return hosts;
}

}  // namespace muster::healthcheck
