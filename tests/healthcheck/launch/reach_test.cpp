// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/reach.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "healthcheck/program/descriptor.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Greets whoever connects to 127.0.0.1 with a word, from some time on.
class Server {
 public:
  explicit Server(std::string word, milliseconds delay = milliseconds(0))
      : word_(std::move(word)), socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (bind(socket_.number(), reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        getsockname(socket_.number(), reinterpret_cast<sockaddr*>(&address), &length) != 0)
      throw std::runtime_error("no socket for a test");
    port_ = ntohs(address.sin_port);
    if (delay.count() == 0) listen(socket_.number(), 64);
    thread_ = std::jthread([this, delay](const std::stop_token& stop) {
      std::this_thread::sleep_for(delay);
      listen(socket_.number(), 64);
      while (!stop.stop_requested()) {
        const Descriptor guest(accept(socket_.number(), nullptr, nullptr));
        if (guest) [[maybe_unused]]
          const auto sent = send(guest.number(), word_.data(), word_.size(), MSG_NOSIGNAL);
      }
    });
  }
  ~Server() {
    thread_.request_stop();
    shutdown(socket_.number(), SHUT_RDWR);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::size_t port() const { return port_; }

 private:
  std::string word_;
  Descriptor socket_;
  std::size_t port_ = 0;
  std::jthread thread_;
};

std::size_t closed_port() { return Server("", milliseconds(1)).port(); }

TEST(WhyNoSsh, IsNothingWhereAServerGreets) {
  const Server server("SSH-2.0-OpenSSH_9\r\n");
  EXPECT_EQ(why_no_ssh("127.0.0.1", server.port()), "");
}

TEST(WhyNoSsh, TellsNameConnectionAndServerApart) {
  EXPECT_NE(why_no_ssh("nowhere.invalid", 22).find("its name cannot be resolved"), std::string::npos);
  EXPECT_NE(why_no_ssh("127.0.0.1", closed_port()).find("Connection refused"), std::string::npos);
  const Server other("220 mail\r\n");
  EXPECT_NE(why_no_ssh("127.0.0.1", other.port()).find("not an ssh server: '220 mail"), std::string::npos);
  const Server silent("");
  EXPECT_NE(why_no_ssh("127.0.0.1", silent.port()).find("no ssh server speaks"), std::string::npos);
}

TEST(WaitForHosts, EndsAsSoonAsAllAnswer) {
  const Server server("SSH-2.0-late\r\n", milliseconds(300));
  Signals signals{SIGUSR1};
  const auto start = Clock::now();
  const auto waited =
      wait_for_hosts({"127.0.0.1", "localhost"}, server.port(), start + std::chrono::seconds(20), signals);
  EXPECT_TRUE(waited.absent.empty());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
}

TEST(WaitForHosts, NamesTheAbsentAtTheDeadline) {
  const Server server("SSH-2.0-x\r\n");
  Signals signals{SIGUSR1};
  const auto waited =
      wait_for_hosts({"127.0.0.1", "nowhere.invalid"}, server.port(), Clock::now() + milliseconds(500), signals);
  ASSERT_EQ(waited.absent.size(), 1U);
  EXPECT_EQ(waited.absent[0].host, "nowhere.invalid");
  EXPECT_FALSE(waited.told_to_stop);
}

TEST(WaitForHosts, EndsWhenASignalComes) {
  Signals signals{SIGUSR1};
  kill(getpid(), SIGUSR1);
  const auto waited = wait_for_hosts({"127.0.0.1"}, closed_port(), Clock::now() + std::chrono::seconds(60), signals);
  EXPECT_TRUE(waited.told_to_stop);
  EXPECT_EQ(waited.absent.size(), 1U);
}

// Addresses of the loopback network, which refuse at once.
TEST(WaitForHosts, AsksAThousandSideBySide) {
  std::vector<std::string> hosts;
  for (int host = 0; host < 1000; ++host)
    hosts.push_back("127.1." + std::to_string(host / 200) + "." + std::to_string(host % 200 + 1));
  Signals signals{SIGUSR1};
  const auto start = Clock::now();
  const auto waited = wait_for_hosts(hosts, closed_port(), start + milliseconds(500), signals);
  EXPECT_EQ(waited.absent.size(), hosts.size());
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace muster::healthcheck
