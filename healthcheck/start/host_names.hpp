// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// A host as a list names it.
struct NamedHost {
  std::string name;
  std::string user = {};                  // whom ssh is to be; empty: who calls it
  std::optional<std::size_t> slots = {};  // its ranks, where the list says so
  std::string place = {};                 // where it stands: "--hosts", "--hostfile hosts, line 3"
};

// One name: "gpu-1", "gpu-1:8" (8 ranks), "ann@gpu-1:8", or "node/gpu-1" as kubectl writes it. What has more than one
// ':' is an address of IPv6 as a whole, so that such a host has no number here. Throws UsageError that begins with the
// place.
NamedHost named_host(std::string_view word, std::string_view place);

// A number of ranks, which is at least 1; nothing where the text is not one.
std::optional<std::size_t> slots_from(std::string_view text);

// Names in Slurm's short form (host_ranges.hpp), each as above: "gpu-[1-4]:8,login:8". Throws UsageError that begins
// with the place.
std::vector<NamedHost> hosts_of_list(std::string_view list, std::string_view place);

// The name by which hosts are told apart: letters have no case in the domain name system (RFC 4343).
std::string same_name(std::string_view name);

// Names in their order, each machine once. Throws UsageError where the source names none.
std::vector<std::string> distinct_names(const std::vector<NamedHost>& hosts, std::string_view source);

}  // namespace muster::healthcheck
