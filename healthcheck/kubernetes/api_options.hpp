// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "healthcheck/kubernetes/kubernetes_api.hpp"
#include "healthcheck/program/command_line.hpp"

namespace muster::healthcheck::fleet {

// What the command line says of the API server.
struct ApiOptions {
  std::optional<std::string> name_space;
  std::optional<std::string> server;
  std::optional<std::filesystem::path> token, ca, certificate, key;
};

// All but the namespace.
void add_server(CommandLine& line, ApiOptions& given);
void add_name_space(CommandLine& line, ApiOptions& given);

// That of the options, else of the pod that this is. Throws UsageError when there is none, results::Error when a file
// of it cannot be read.
Server server_of(const ApiOptions& given);

// That of the options, else of the pod that this is, else "default". Throws UsageError when it is no name.
std::string name_space_of(const ApiOptions& given);

// Whether Kubernetes may have something of this name. Names go into addresses, where ".." would be another place.
bool is_name(std::string_view name);

// Throws UsageError where it is none.
void require_name(const std::string& option, const std::string& name);

// Throws UsageError where a taint cannot have this key, or one of it is set by others than those who make nodes.
void require_taint(const std::string& option, const std::string& key);

// Throws UsageError where --prefix is of others, whose labels would be taken for ours.
void require_prefix(const std::string& prefix);

}  // namespace muster::healthcheck::fleet
