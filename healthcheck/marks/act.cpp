// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/marks/act.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/kubernetes/kubernetes_nodes.hpp"
#include "healthcheck/kubernetes/retry.hpp"
#include "healthcheck/marks/node_fitness.hpp"
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
    const bool wants_all = wanted_.condition || wanted_.events || wanted_.gate;
    if (!find_nodes(wants_all ? "" : std::string(unfit))) return false;
    std::set<std::string> marked;
    for (const auto& [name, state] : nodes_)
      if (state.is_marked) marked.insert(name);
    const auto plan = planned(report_, marked, wanted_.effect);
    for (const auto& node : plan.to_keep) say_(fmt::format("{}: keeps its mark, for it is neither good nor bad", node));
    bool is_done = true;
    for (const auto& node : plan.to_unmark)
      is_done &= change(node, "takes its mark off", unmarking, {.reason = "MusterFit", .message = "it passed again"});
    if (wanted_.gate) is_done &= open_gates(*wanted_.gate);
    const auto most = wanted_.cap.of(report_.nodes.size());
    const bool may_accuse = plan.anew <= most;
    if (may_accuse)
      for (const auto& each : plan.to_mark) is_done &= mark(each);
    else
      say_(fmt::format("{} nodes would be marked, which is more than {} of {}: none is", plan.anew, most,
                       report_.nodes.size()));
    if (wanted_.condition) is_done &= tell_conditions(may_accuse);
    return is_done && may_accuse;
  }

  bool outdate() {
    if (!find_nodes("")) return false;
    return tell_conditions(false);
  }

 private:
  bool find_nodes(const std::string& selector) {
    return done("the nodes", [&] {
      nodes_.clear();
      for (auto& state : node_states(api_, selector)) nodes_.emplace(state.name, std::move(state));
    });
  }

  bool mark(const MarkPlan::Marking& marking) {
    return change(marking.node, fmt::format("marks it {}={} ({})", unfit, marking.mark.fault, marking.mark.reason),
                  [&](const std::string& text) { return fleet::marking(text, marking.mark); },
                  {.is_warning = true, .reason = "MusterUnfit", .message = marking.mark.reason});
  }

  // Of the nodes that passed and bear the taint of those that nobody has tested yet.
  bool open_gates(const std::string& gate) {
    bool is_done = true;
    for (const auto& node : report_.nodes) {
      const auto fit = fitness(node, report_.made, false);
      const auto found = nodes_.find(node.name);
      if (!fit || fit->status != "True" || found == nodes_.end()) continue;
      if (std::ranges::find(found->second.taints, gate) == found->second.taints.end()) continue;
      is_done &= change(node.name, fmt::format("takes {} off", gate),
                        [&](const std::string& text) { return opening(text, gate); },
                        {.reason = "MusterFit", .message = fmt::format("it passed, and {} is taken off", gate)});
    }
    return is_done;
  }

  bool tell_conditions(bool may_accuse) {
    std::map<std::string, const FleetNode*> of_report;
    for (const auto& node : report_.nodes) of_report.emplace(node.name, &node);
    bool is_done = true;
    for (const auto& [name, state] : nodes_) {
      const auto found = of_report.find(name);
      auto wanted = found == of_report.end() ? std::nullopt : fitness(*found->second, report_.made, state.is_marked);
      const bool is_bad_already = state.is_marked || (state.fitness && state.fitness->status == "False");
      if (wanted && wanted->status == "False" && !may_accuse && !is_bad_already) continue;
      if (!wanted && state.fitness && !state.is_marked)
        wanted = outdated_fitness(*state.fitness, std::chrono::system_clock::now(), wanted_.oldest_hours);
      if (wanted && is_news(*wanted, state.fitness)) is_done &= tell(state, *wanted);
    }
    return is_done;
  }

  // What a node is told is said where its status becomes another.
  bool tell(const NodeState& state, const NodeCondition& wanted) {
    const bool is_done = !wanted_.apply || done(state.name, [&] {
      api_.patch(fmt::format("/api/v1/nodes/{}/status", state.name), condition_patch(wanted, state.fitness),
                 {{"fieldManager", "muster-act"}});
    });
    if (is_done && (!state.fitness || state.fitness->status != wanted.status))
      say_(fmt::format("{}: {}tells that {} is {} ({})", state.name, wanted_.apply ? "" : "dry run: ", fit_condition,
                       wanted.status, wanted.message));
    return is_done;
  }

  // Asks until it works, or says what did not.
  bool done(const std::string& what, const std::function<void()>& ask) {
    const auto setback = retry_until(ask, stop_, end_, [](const RequestFailure&) {});
    if (setback) say_(fmt::format("{}: {}", what, setback->reason));
    return !setback;
  }

  bool change(const std::string& name, const std::string& what,
              const std::function<std::optional<std::string>(const std::string&)>& made, NodeEvent event) {
    if (!is_name(name)) {
      say_(fmt::format("{}: is not a name of a node of Kubernetes", name));
      return false;
    }
    const auto path = fmt::format("/api/v1/nodes/{}", name);
    std::string became;
    bool is_changed = false;
    const bool is_done = done(name, [&] {
      const auto node = api_.get(path);
      const auto patch = node ? made(*node) : std::nullopt;
      bool is_there = node.has_value();
      if (patch && wanted_.apply) is_there = api_.patch(path, *patch, {{"fieldManager", "muster-act"}});
      is_changed = patch && wanted_.apply && is_there;
      became = !is_there ? "is not a node of this cluster" : !patch ? "is left as it is" : what;
    });
    if (is_done) say_(fmt::format("{}: {}{}", name, wanted_.apply ? "" : "dry run: ", became));
    return is_done && (!is_changed || tell_event(name, std::move(event)));
  }

  bool tell_event(const std::string& name, NodeEvent event) {
    const auto found = nodes_.find(name);
    if (!wanted_.events || found == nodes_.end()) return true;
    event.run_id = report_.run_id;
    event.time = report_.made;
    return done(fmt::format("{}: its Event", name),
                [&] { api_.create("/api/v1/namespaces/default/events", to_json(event, found->second)); });
  }

  const FleetReport& report_;
  MarkOptions wanted_;
  Clock::time_point end_;
  Stop& stop_;
  const std::function<void(const std::string&)>& say_;
  KubernetesApi api_;
  std::map<std::string, NodeState> nodes_;  // by name
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
      UnfitMark mark{.fault = node.problems.empty() ? "failed" : node.problems.front().fault,
                     .reason = worst_sentence(node, "its report says no more"),
                     .run_id = report.run_id,
                     .effect = effect};
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

bool outdate_conditions(const Server& server, const MarkOptions& wanted, Stop& stop,
                        const std::function<void(const std::string&)>& say) {
  const FleetReport nothing;
  return NodeMarker(server, nothing, wanted, stop, say).outdate();
}

}  // namespace muster::healthcheck::fleet
