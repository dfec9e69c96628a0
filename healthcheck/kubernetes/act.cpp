// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/act.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/kubernetes/kubernetes_nodes.hpp"
#include "healthcheck/kubernetes/retry.hpp"
#include "healthcheck/program/deadline.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Clock = std::chrono::steady_clock;
using results::Status;

class NodeMarker {
 public:
  NodeMarker(const Server& server, const FleetReport& report, const MarkOptions& wanted, Stop& stop,
             const std::function<void(const std::string&)>& say)
      : report_(report),
        wanted_(wanted),
        end_(Clock::now() + ticks(wanted.wait_seconds)),
        stop_(stop),
        say_(say),
        api_(server, end_, [&stop] { return stop.is_told(); }) {}

  bool result() {
    std::set<std::string> marked;
    const auto find = [&] {
      for (const auto& node : kubernetes_nodes(api_, std::string(unfit))) marked.insert(node.name);
    };
    if (!done("the marked nodes", find)) return false;
    const auto plan = planned(report_, marked, wanted_.effect);
    for (const auto& node : plan.to_keep) say_(fmt::format("{}: keeps its mark, for it is neither good nor bad", node));
    bool is_done = true;
    for (const auto& node : plan.to_unmark)
      is_done &= change(node, "takes its mark off", [](const std::string& text) { return unmarking(text); });
    const auto most = wanted_.cap.of(report_.nodes.size());
    if (plan.anew > most) {
      say_(fmt::format("{} nodes would be marked, which is more than {} of {}: none is", plan.anew, most,
                       report_.nodes.size()));
      return false;
    }
    for (const auto& [node, mark] : plan.to_mark)
      is_done &= change(node, fmt::format("marks it {}={} ({})", unfit, mark.fault, mark.reason),
                        [&](const std::string& text) { return marking(text, mark); });
    return is_done;
  }

 private:
  // Asks until it works, or says what did not.
  bool done(const std::string& what, const std::function<void()>& ask) {
    const auto setback = retry_until(ask, stop_, end_, [](const RequestFailure&) {});
    if (setback) say_(fmt::format("{}: {}", what, setback->reason));
    return !setback;
  }

  bool change(const std::string& name, const std::string& what,
              const std::function<std::optional<std::string>(const std::string&)>& made) {
    if (!is_name(name)) {
      say_(fmt::format("{}: is not a name of a node of Kubernetes", name));
      return false;
    }
    const auto path = fmt::format("/api/v1/nodes/{}", name);
    std::string became;
    const bool is_done = done(name, [&] {
      const auto node = api_.get(path);
      const auto patch = node ? made(*node) : std::nullopt;
      bool is_there = node.has_value();
      if (patch && wanted_.apply) is_there = api_.patch(path, *patch, {{"fieldManager", "muster-act"}});
      became = !is_there ? "is not a node of this cluster" : !patch ? "is left as it is" : what;
    });
    if (is_done) say_(fmt::format("{}: {}{}", name, wanted_.apply ? "" : "dry run: ", became));
    return is_done;
  }

  const FleetReport& report_;
  MarkOptions wanted_;
  Clock::time_point end_;
  Stop& stop_;
  const std::function<void(const std::string&)>& say_;
  KubernetesApi api_;
};

}  // namespace

std::size_t MarkLimit::of(std::size_t nodes) const {
  const auto part = static_cast<std::size_t>(std::floor(share * static_cast<double>(nodes)));
  return std::min(count, std::max<std::size_t>(part, 1));
}

std::optional<std::string> outdated(const FleetReport& report, std::chrono::system_clock::time_point now,
                                    double oldest_hours) {
  const auto made = results::time_from(report.made);
  if (!made) return "the time when it was made is not known";
  if (*made > now + clock_tolerance) return fmt::format("it was made at {}, which is yet to come", report.made);
  if (std::chrono::duration<double, std::ratio<3600>>(now - *made).count() > oldest_hours)
    return fmt::format("it was made at {}, more than {:g} h ago", report.made, oldest_hours);
  return std::nullopt;
}

MarkPlan planned(const FleetReport& report, const std::set<std::string>& marked, const std::string& effect) {
  MarkPlan plan;
  for (const auto& node : report.nodes) {
    const bool is_tested = node.coverage == Coverage::tested || node.coverage == Coverage::twice;
    if (is_tested && node.status == Status::fail) {
      UnfitMark mark{.fault = "failed", .reason = "its report says no more", .run_id = report.run_id, .effect = effect};
      if (!node.problems.empty()) {
        const auto& worst = node.problems.front();
        mark.fault = worst.fault;
        mark.reason = fmt::format("{}: {}", worst.metric, worst.reason);
      }
      plan.to_mark.push_back({node.name, std::move(mark)});
      plan.anew += marked.contains(node.name) ? 0 : 1;
    } else if (marked.contains(node.name)) {
      const bool is_good = is_tested && results::is_good(node.status);
      (is_good ? plan.to_unmark : plan.to_keep).push_back(node.name);
    }
  }
  return plan;
}

bool act(const Server& server, const FleetReport& report, const MarkOptions& wanted, Stop& stop,
         const std::function<void(const std::string&)>& say) {
  return NodeMarker(server, report, wanted, stop, say).result();
}

}  // namespace muster::healthcheck::fleet
