// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/job_network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <algorithm>

#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (!contains(texts, text)) texts.push_back(text);
}

// "eth0 (10.0.0.4), ib0 (10.4.0.4)": the addresses for which the question is true.
template <class Question>
std::string listed(std::span<const OwnAddress> own, const Question& question) {
  std::vector<std::string> phrases;
  for (const auto& each : own)
    if (question(each)) phrases.push_back(fmt::format("{} ({})", each.interface, each.address));
  return fmt::format("{}", fmt::join(phrases, ", "));
}

// The network of the addresses for which the question is true.
template <class Question>
JobNetwork network_of(std::span<const OwnAddress> own, const Question& is_used, std::string_view why) {
  JobNetwork network;
  for (const auto& each : own) {
    if (!is_used(each)) continue;
    add_once(network.interfaces, each.interface);
    add_once(network.addresses, each.address);
    add_once(network.families, each.address.find(':') == std::string::npos ? "4" : "6");
  }
  if (network.interfaces.empty()) return network;
  const auto others = listed(
      own, [&](const OwnAddress& each) { return !each.is_loopback && !contains(network.interfaces, each.interface); });
  network.used = listed(own, is_used);
  network.words = fmt::format("{}, which {}{}{}", network.used, why, others.empty() ? "" : "; not ", others);
  return network;
}

}  // namespace

JobAddresses read_job_addresses(std::string_view text) {
  JobAddresses job;
  for (const auto word : topology::words(text))
    if (job.port.empty())
      job.port = word;
    else
      job.hosts.emplace_back(word);
  return job;
}

JobNetwork network_by_routes(const JobAddresses& job, std::span<const OwnAddress> own,
                             const std::function<std::optional<std::string>(const std::string&)>& source_towards) {
  std::vector<std::string> sources;
  for (const auto& host : job.hosts)
    if (!is_own(own, host))
      if (const auto source = source_towards(host)) add_once(sources, *source);
  return network_of(
      own, [&](const OwnAddress& each) { return contains(sources, each.address); }, "routes to the other hosts use");
}

JobNetwork network_by_request(std::span<const std::string> wanted, std::span<const OwnAddress> own) {
  return network_of(
      own,
      [&](const OwnAddress& each) {
        return std::ranges::any_of(
            wanted, [&](const std::string& name) { return name == each.interface || lies_in(each.address, name); });
      },
      "--interface names");
}

std::optional<std::string> next_host(const JobAddresses& job, std::span<const OwnAddress> own) {
  const auto is_this = [&](const std::string& host) { return is_own(own, host); };
  auto ring = job.hosts;
  const auto here = std::ranges::find_if(ring, is_this);
  if (here == ring.end()) return std::nullopt;
  std::ranges::rotate(ring, here);
  const auto next = std::ranges::find_if_not(ring, is_this);
  return next == ring.end() ? std::nullopt : std::optional(*next);
}

void tell_open_mpi(const JobNetwork& network) {
  if (network.interfaces.empty()) return;
  setenv("OMPI_MCA_btl_tcp_if_include", fmt::format("{}", fmt::join(network.interfaces, ",")).c_str(), 1);
  if (network.families.size() == 1)
    setenv("OMPI_MCA_btl_tcp_disable_family", network.families.front() == "4" ? "6" : "4", 1);
}

}  // namespace muster::healthcheck
