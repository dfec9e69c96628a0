// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/open_mpi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <vector>

#include "benchmarks/ranks/launcher.hpp"
#include "healthcheck/process/guard.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/find_program.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::chrono::seconds time_to_say_version{5};
// Before it mpirun calls such a letter illegal, and waits without end for daemons (seen with 4.1.4).
constexpr int first_with_all_letters = 5;

// The first letter that names in the Internet do not have; npos where there is none.
std::size_t odd_letter(std::string_view host) {
  const auto is_usual = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '.' || letter == '-';
  };
  const auto* const found = std::ranges::find_if_not(host, is_usual);
  return found == host.end() ? std::string_view::npos : static_cast<std::size_t>(found - host.begin());
}

bool is_odd(std::string_view host) { return odd_letter(host) != std::string_view::npos; }

int major(std::string_view version) {
  int number = 0;
  std::from_chars(version.begin(), version.end(), number);
  return number;
}

// Settings of Open MPI: of the user, of Debian's, and of the mpirun that is used.
std::string settings_of_open_mpi(const topology::Sysfs& sysfs, const char* const* environment) {
  constexpr const char* name = "openmpi-mca-params.conf";
  const auto program = std::filesystem::canonical(find_mpirun());
  std::vector<std::filesystem::path> files{program.parent_path().parent_path() / "etc" / name};
  if (const auto home = benchmarks::variable(environment, "HOME"))
    files.push_back(std::filesystem::path(*home) / ".openmpi/mca-params.conf");
  auto text = sysfs.text(fmt::format("etc/openmpi/{}", name)).value_or("");
  for (const auto& file : files) {
    std::ifstream stream(file);
    text += "\n" + std::string(std::istreambuf_iterator<char>(stream), {});
  }
  return text;
}

// One of these settings.
bool is_set(std::initializer_list<std::string_view> settings, const topology::Sysfs& sysfs,
            const char* const* environment) {
  const auto text = settings_of_open_mpi(sysfs, environment);
  return std::ranges::any_of(settings, [&](std::string_view name) {
    return benchmarks::variable(environment, fmt::format("OMPI_MCA_{}", name)) ||
           benchmarks::variable(environment, fmt::format("PRTE_MCA_{}", name)) || topology::value_of(text, name, '=');
  });
}

}  // namespace

std::string find_mpirun() { return find_program("mpirun", "install Open MPI"); }

std::optional<std::string> open_mpi_version(std::string_view said) {
  constexpr std::string_view name = "(Open MPI) ";
  const auto at = said.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  const auto rest = said.substr(at + name.size());
  return std::string(rest.substr(0, rest.find_first_of(" \n")));
}

std::string why_no_host(std::span<const std::string> hosts, std::string_view version) {
  const auto host = std::ranges::find_if(hosts, is_odd);
  if (host == hosts.end() || major(version) >= first_with_all_letters) return {};
  return fmt::format(
      "mpirun of Open MPI {} does not take {} for a host, because of its '{}': give a name of letters, digits, '.' and "
      "'-', or use Open MPI {}",
      version, *host, (*host)[odd_letter(*host)], first_with_all_letters);
}

void expect_hosts_for_mpirun(std::span<const std::string> hosts) {
  if (std::ranges::none_of(hosts, is_odd)) return;
  const auto asked =
      Guard({find_mpirun(), "--version"}, std::chrono::steady_clock::now() + time_to_say_version).ending();
  const auto version = open_mpi_version(asked.said);
  if (!version) return;
  if (const auto reason = why_no_host(hosts, *version); !reason.empty()) throw UsageError(reason);
}

bool open_mpi_chooses_interfaces(const topology::Sysfs& sysfs, const char* const* environment) {
  return is_set({"btl_tcp_if_include", "btl_tcp_if_exclude"}, sysfs, environment);
}

bool mpirun_chooses_interfaces(const topology::Sysfs& sysfs, const char* const* environment) {
  return is_set({"oob_tcp_if_include", "oob_tcp_if_exclude", "prte_if_include", "prte_if_exclude"}, sysfs, environment);
}

}  // namespace muster::healthcheck
