// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/label.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "healthcheck/kubernetes/node_labels.hpp"
#include "healthcheck/kubernetes/node_patch.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/strings/utf8.hpp"
#include "topology/kernel/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double between_questions = 3600;  // about a node whose labels stay the same here
constexpr double retry_seconds = 60;
constexpr double first_setback_pause = 0.5;  // twice as long after each setback

class Labeler {
 public:
  Labeler(const Server& server, const Labeling& wanted, Stop& stop)
      : wanted_(wanted),
        end_(wanted.once ? Clock::now() + ticks(retry_seconds) : Clock::time_point::max()),
        stop_(stop),
        api_(server, end_, [&stop] { return stop.is_told(); }) {}

  results::Status result() {
    while (true) {
      look();
      if (wanted_.once && is_right()) return results::Status::pass;
      const double pause = is_right() ? wanted_.every_seconds : std::min(pause_, wanted_.every_seconds);
      stop_.wait_until(std::min(end_, Clock::now() + ticks(pause)));
      if (stop_.is_told() || Clock::now() >= end_) return is_right() ? results::Status::pass : results::Status::unknown;
    }
  }

 private:
  bool is_right() const { return given_.has_value(); }

  void look() {
    try {
      auto made = node_labels(wanted_.machine, wanted_.prefix);
      if (given_ == made && Clock::now() < due_) return;
      if (told_ != made.problems)
        for (const auto& problem : made.problems) say(problem);
      told_ = made.problems;
      give(std::move(made));
    } catch (const topology::Error& error) {
      take_setback(error.what());
    }
  }

  void give(NodeLabels made) {
    const auto path = "/api/v1/nodes/" + wanted_.node;
    std::string became;
    const auto setback = attempt([&] {
      const auto node = api_.get(path);
      if (!node) throw Refused(fmt::format("there is no node {}", wanted_.node));
      const auto patch = node_patch(*node, made);
      if (patch && !api_.patch(path, *patch, {{"fieldManager", "muster-labels"}}))
        throw Refused(fmt::format("there is no node {} any more", wanted_.node));
      became = patch ? "changed: " + *patch : "nothing to change";
    });
    if (setback) return take_setback(setback->reason);
    say(fmt::format("node {}: {}", wanted_.node, became));
    given_ = std::move(made);
    due_ = Clock::now() + ticks(between_questions);
    pause_ = first_setback_pause;
  }

  void take_setback(const std::string& reason) {
    if (!stop_.is_told()) say(reason);  // what broke off by a signal is no news
    given_.reset();
    pause_ *= 2;
  }

  static void say(const std::string& sentence) {
    tell(fmt::format("muster fleet label: {}\n", results::shortened(sentence, 1500)));
  }

  Labeling wanted_;
  Clock::time_point end_;
  Stop& stop_;
  KubernetesApi api_;
  std::optional<NodeLabels> given_;  // what the node has, as far as is known
  std::vector<std::string> told_;
  Clock::time_point due_;
  double pause_ = first_setback_pause;
};

}  // namespace

results::Status label(const Server& server, const Labeling& wanted, Stop& stop) {
  return Labeler(server, wanted, stop).result();
}

}  // namespace muster::healthcheck::fleet
