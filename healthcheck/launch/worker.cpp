// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/worker.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string_view>

#include "healthcheck/launch/keys.hpp"
#include "healthcheck/process/guard.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/find_program.hpp"
#include "healthcheck/program/private_folder.hpp"
#include "healthcheck/program/signals.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/system/file.hpp"
#include "results/values/verdict.hpp"

namespace muster::healthcheck {
namespace {

constexpr const char* advice = "install openssh-server";
// Compiled into sshd, which wants it where it is root's.
constexpr const char* folder_of_sshd = "/run/sshd";

// sshd wants its own absolute path; its folder is often not in the PATH of users.
std::string find_sshd() {
  for (const char* file : {"/usr/sbin/sshd", "/usr/local/sbin/sshd"})
    if (access(file, X_OK) == 0) return file;
  return find_program("sshd", advice);
}

}  // namespace

std::string sshd_configuration(std::size_t port, const std::filesystem::path& folder, const char* const* environment) {
  std::string text = fmt::format(
      "Port {}\nHostKey {}\nAuthorizedKeysFile {}\n"
      "AuthenticationMethods publickey\nPermitRootLogin prohibit-password\nStrictModes no\nUsePAM no\nPidFile none\n"
      "AllowTcpForwarding no\nX11Forwarding no\nPermitTunnel no\nPrintMotd no\nMaxStartups 1000\nMaxSessions 1000\n"
      "UseDNS no\nLogLevel ERROR\n",
      port, (folder / "host_key").string(), (folder / "authorized_keys").string());
  std::string set = " SHLVL=1";  // a shell that is not the first reads no .bashrc, which may set other paths
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry(*environment);
    const bool is_passed = entry.starts_with("PATH=") || entry.starts_with("LD_LIBRARY_PATH=");
    if (is_passed && entry.find('"') == std::string_view::npos) set += fmt::format(" \"{}\"", entry);
  }
  return text + "SetEnv" + set + "\n";
}

int work(const WorkerOptions& options) {
  const auto sshd = find_sshd();
  const PrivateFolder folder(options.scratch ? *options.scratch : temporary_folder());
  private_copy_of_authorized(options.keys, folder.path());
  make_host_key(folder.path());
  auto text = sshd_configuration(options.port, folder.path(), environ);
  if (sign_host_key(options.keys, folder.path()))
    text += fmt::format("HostCertificate {}\n", (folder.path() / "host_key-cert.pub").string());
  const auto configuration = folder.path() / "sshd_config";
  results::write_private(configuration, text);
  if (geteuid() == 0) mkdir(folder_of_sshd, 0755);

  const Signals signals{SIGTERM, SIGINT};
  Guard server({sshd, "-D", "-e", "-f", configuration.string()}, std::chrono::steady_clock::time_point::max());
  std::array<pollfd, 2> wanted{{{.fd = server.descriptor(), .events = POLLIN, .revents = 0},
                                {.fd = signals.descriptor(), .events = POLLIN, .revents = 0}}};
  poll(wanted.data(), wanted.size(), -1);
  if (wanted.back().revents != 0) server.stop();
  const auto ending = server.ending();
  if (ending.kind == ProcessExit::Kind::interrupted) return 0;
  tell(fmt::format("muster worker: sshd ended with {}: {}{}\n", ending.code, ending.words, ending.last_line));
  return results::exit_code(results::Status::unknown);
}

}  // namespace muster::healthcheck
