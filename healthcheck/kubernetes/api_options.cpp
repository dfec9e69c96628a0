// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/api_options.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "healthcheck/kubernetes/kubernetes_nodes.hpp"
#include "healthcheck/kubernetes/node_labels.hpp"
#include "healthcheck/program/error.hpp"
#include "results/system/file.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck::fleet {
namespace {

// What Kubernetes puts into each pod.
constexpr auto account = "/var/run/secrets/kubernetes.io/serviceaccount";

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets it
  return value == nullptr ? "" : value;
}

}  // namespace

void add_server(CommandLine& line, ApiOptions& given) {
  line.add("--server", given.server, "Address of the API server (default: that of this pod)");
  line.add("--token", given.token, "File with a bearer token (default: that of this pod)");
  line.add("--ca", given.ca, "File with the certificates to trust (default: that of this pod)");
  line.add("--certificate", given.certificate, "File with a certificate of the client");
  line.add("--key", given.key, "File with its key");
}

void add_name_space(CommandLine& line, ApiOptions& given) {
  line.add("--namespace", given.name_space, "Where it is (default: that of this pod, else default)");
}

Server server_of(const ApiOptions& given) {
  if (given.certificate.has_value() != given.key.has_value())
    throw UsageError("--certificate and --key go together: give both or neither");
  Server server{given.server.value_or(""), given.token, given.ca, given.certificate, given.key};
  if (!given.server) {
    const std::string host = variable("KUBERNETES_SERVICE_HOST");
    const std::string port = variable("KUBERNETES_SERVICE_PORT");
    if (host.empty())
      throw UsageError("this is not a pod, as KUBERNETES_SERVICE_HOST is not set: give --server, --token and --ca");
    const bool is_ipv6 = host.find(':') != host.npos;
    server.url = fmt::format("https://{}:{}", is_ipv6 ? "[" + host + "]" : host, port.empty() ? "443" : port);
    const std::filesystem::path folder = account;
    if (!server.token && !server.certificate) server.token = folder / "token";
    if (!server.ca) server.ca = folder / "ca.crt";
  }
  for (const auto& file : {server.token, server.ca, server.certificate, server.key})
    if (file) results::read_text(*file);
  return server;
}

std::string name_space_of(const ApiOptions& given) {
  auto name = given.name_space.value_or("default");
  if (!given.name_space && !given.server)
    name = topology::trimmed(results::read_text(std::filesystem::path(account) / "namespace"));
  require_name("--namespace", name);
  return name;
}

// RFC 1123 subdomains.
bool is_name(std::string_view name) {
  constexpr std::string_view inside = "abcdefghijklmnopqrstuvwxyz0123456789-.";
  constexpr auto at_the_ends = inside.substr(0, inside.find('-'));
  return !name.empty() && name.size() <= 253 && name.find_first_not_of(inside) == name.npos &&
         name.find("..") == name.npos && at_the_ends.find(name.front()) != name.npos &&
         at_the_ends.find(name.back()) != name.npos;
}

void require_name(const std::string& option, const std::string& name) {
  if (!is_name(name))
    throw UsageError(fmt::format("{}: '{}' is not a name of Kubernetes: small letters, digits, - and .", option, name));
}

void require_taint(const std::string& option, const std::string& key) {
  const auto slash = key.find('/');
  const auto prefix = slash == std::string::npos ? "" : key.substr(0, slash);
  const auto name = key.substr(slash == std::string::npos ? 0 : slash + 1);
  if ((slash != std::string::npos && !is_name(prefix)) || name.empty() || as_label(name) != name)
    throw UsageError(fmt::format("{}: '{}' is not the key of a taint, such as muster/untested", option, key));
  if (key == unfit || prefix == "node.kubernetes.io" || prefix == "node-role.kubernetes.io")
    throw UsageError(fmt::format(
        "{}: the taint {} is not one of untested nodes: give one of your own, such as muster/untested", option, key));
}

void require_prefix(const std::string& prefix) {
  require_name("--prefix", prefix);
  for (const std::string_view others : {"kubernetes.io", "k8s.io", "ib"})
    if (prefix == others || prefix.ends_with(fmt::format(".{}", others)))
      throw UsageError(fmt::format("--prefix: {} is a prefix of others: give one of your own", prefix));
}

}  // namespace muster::healthcheck::fleet
