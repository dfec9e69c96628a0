// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/verbs/between_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "benchmarks/culprit.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/job.hpp"
#include "healthcheck/pair_facts.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Passage;
using benchmarks::RdmaOperation;
using results::Labels;
using results::Measurement;
using Clock = std::chrono::steady_clock;

// Those of this metric, which the others then are without.
std::vector<Measurement> taken(std::vector<Measurement>& facts, std::string_view metric) {
  const auto found =
      std::ranges::stable_partition(facts, [&](const Measurement& each) { return each.metric != metric; });
  std::vector<Measurement> those(std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  facts.erase(found.begin(), found.end());
  return those;
}

class BetweenHosts {
 public:
  BetweenHosts(Context& context, const RdmaRequest& request)
      : context_(context),
        request_(request),
        ranks_(context.ranks()),
        hosts_(context.hosts()),
        own_(static_cast<std::size_t>(ranks_.rank())),
        ports_(request.ends(context.sysfs())) {}

  void run() {
    open_ports();
    const auto rounds = benchmarks::rounds(hosts_.size(), benchmarks::enough_rounds);
    const auto turns = turns_of_rails();
    shares_ = {.all = 2 * rounds.size() * request_.chosen().size() * turns.size()};
    for (const auto operation : request_.chosen())
      for (const auto& round : rounds)
        for (const auto& [one, other] : {std::pair(&benchmarks::Pair::first, &benchmarks::Pair::second),
                                         {&benchmarks::Pair::second, &benchmarks::Pair::first}}) {
          benchmarks::Part part;
          for (const auto& pair : round) {
            if (pair.*one == own_) part = {.partner = static_cast<int>(pair.*other), .posts = true};
            if (pair.*other == own_) part = {.partner = static_cast<int>(pair.*one), .posts = false};
          }
          for (const auto& rail : turns)
            if (in_time()) meet(operation, part, rail);
        }
    conclude();
  }

 private:
  // A port as its host tells the others.
  struct Rail {
    std::string nic;
    std::string port;
    std::string state;
  };

  // Rates are of all rails at once, a latency of one alone.
  std::vector<std::optional<std::size_t>> turns_of_rails() const {
    if (request_.flow == benchmarks::Flow::stream) return {std::nullopt};
    std::size_t most = 0;
    for (const auto& rails : rails_) most = std::max(most, rails.size());
    std::vector<std::optional<std::size_t>> turns;
    for (std::size_t rail = 0; rail < most; ++rail) turns.emplace_back(rail);
    return turns;
  }

  // On all ranks, or on none.
  bool in_time() {
    const bool is_over = ranks_.max(Clock::now() > context_.deadline() ? 1 : 0) > 0;
    if (is_over) ++left_out_;
    return !is_over;
  }

  Labels labels(std::size_t rail) const {
    auto labels = ports_[rail].labels();
    labels.insert({{"host", hosts_[own_]}, {"rail", std::to_string(rail)}});
    return labels;
  }

  void open_ports() {
    std::string own;
    for (const RdmaEnd& port : ports_)
      own += fmt::format("{} {} {}\n", port.hca.name, port.port.number,
                         port.port.state.empty() ? "unknown" : port.port.state);
    for (const auto& text : all_gather(ranks_, own)) {
      std::istringstream lines(text);
      auto& rails = rails_.emplace_back();
      for (Rail rail; lines >> rail.nic >> rail.port >> rail.state;) rails.push_back(rail);
    }
    bool is_any_active = false;
    for (std::size_t host = 0; host < rails_.size(); ++host)
      for (std::size_t rail = 0; rail < rails_[host].size(); ++rail) {
        if (rails_[host][rail].state != "ACTIVE") continue;
        is_any_active = true;
        expect_active(rail, hosts_[host]);
      }
    if (!is_any_active) throw Skip("no RDMA port is active on any host");
    for (std::size_t rail = 0; rail < ports_.size(); ++rail)
      if (ports_[rail].is_active()) facts_.push_back(request_.open(ports_[rail], labels(rail)));
  }

  // A rail that another host has; said once.
  void expect_active(std::size_t rail, const std::string& host) {
    if (rail < ports_.size() && ports_[rail].is_active()) return;
    if (!lacking_.insert(rail).second) return;
    if (rail < ports_.size())
      facts_.push_back(request_.fact("port_lost", fmt::format("{} here, ACTIVE on {}", ports_[rail].port.state, host),
                                     labels(rail)));
    else
      facts_.push_back(request_.fact("port_lost", fmt::format("{} has a port here", host),
                                     {{"host", hosts_[own_]}, {"rail", std::to_string(rail)}}));
  }

  // The ports that still serve with this partner, and have their turn.
  std::vector<benchmarks::CountedPort> usable(std::optional<int> partner, std::optional<std::size_t> turn) const {
    std::vector<benchmarks::CountedPort> all;
    for (std::size_t rail = 0; rail < ports_.size(); ++rail) {
      all.push_back(ports_[rail].counted(context_));
      if ((turn && *turn != rail) || (partner && broken_.contains({*partner, rail}))) all.back().port = nullptr;
    }
    return all;
  }

  void meet(RdmaOperation operation, const benchmarks::Part& part, std::optional<std::size_t> turn) {
    context_.phase(fmt::format("{} with {}", to_text(operation),
                               part.partner ? hosts_[static_cast<std::size_t>(*part.partner)] : "nobody"));
    Labels where{{"path", "wire"}};
    if (const auto first = std::ranges::find_if(ports_, &RdmaEnd::is_active); first != ports_.end())
      where.emplace("link_layer", first->port.link_layer);
    const auto passages = benchmarks::meet(ranks_, part, usable(part.partner, turn),
                                           request_.traffic(context_, operation, std::move(where), shares_));
    if (!part.partner) return;
    for (std::size_t rail = 0; rail < ports_.size(); ++rail) {
      if (passages[rail].met)
        take(passages[rail], *part.partner, rail, pair_labels(operation, *part.partner, rail), part.posts);
      if (!passages[rail].refused.empty())
        give_up(rail, request_.fact("refused", passages[rail].refused, labels(rail)));
    }
  }

  void give_up(std::size_t rail, Measurement reason) {
    facts_.push_back(std::move(reason));
    ports_[rail].opened = nullptr;
  }

  void take(const Passage& passage, int partner, std::size_t rail, const Labels& where, bool posted) {
    const bool is_broken = !passage.problem.empty();
    if (is_broken) broken_.insert({partner, rail});
    if (passage.lost_here) give_up(rail, request_.lost(passage, labels(rail)));
    if (!posted || passage.lost_here || passage.lost_there) return;
    if (is_broken) {
      facts_.push_back(request_.fact("pair_broken", passage.problem, where));
      return;
    }
    std::ranges::move(request_.facts_of(passage, request_.measured_of_pair(), where), std::back_inserter(facts_));
    if (passage.wrong_answers > 0)
      facts_.push_back(request_.fact("wrong_bytes", results::count(passage.wrong_answers), seen_from_partner(where)));
  }

  // As pair_facts wants them: "host" is where the data come from.
  Labels pair_labels(RdmaOperation operation, int partner, std::size_t rail) const {
    auto where = request_.labels(operation, labels(rail));
    const auto& theirs = rails_[static_cast<std::size_t>(partner)].at(rail);
    where.insert({{"partner", hosts_[static_cast<std::size_t>(partner)]},
                  {"partner_nic", theirs.nic},
                  {"partner_port", theirs.port}});
    return benchmarks::comes_back(operation) ? seen_from_partner(std::move(where)) : where;
  }

  void conclude() {
    auto facts = gather_facts(ranks_, std::move(facts_));
    if (ranks_.rank() != 0) return;
    auto pairs = taken(facts, request_.measured_of_pair());
    const auto broken = taken(facts, request_.metric("pair_broken"));
    context_.add(std::move(facts));
    context_.add(middle_pairs(pairs, request_.measured()));
    context_.add(culprits(broken, request_.metric("broken")));
    if (hosts_.size() > 2) {  // or a pair says the same again
      context_.add(broken);
      for (Measurement& pair : pairs) pair.stopping.reset();  // which is that of what is judged
      context_.add(std::move(pairs));
    }
    if (left_out_ > 0)
      context_.add(request_.metric("left_out"),
                   fmt::format("{} of {} rounds: there was no time", left_out_, shares_.all));
  }

  Context& context_;
  const RdmaRequest& request_;
  benchmarks::Ranks& ranks_;
  const std::vector<std::string>& hosts_;
  std::size_t own_;
  std::vector<RdmaEnd> ports_;
  std::vector<std::vector<Rail>> rails_;          // of each host
  std::set<std::size_t> lacking_;                 // rails that others have
  std::set<std::pair<int, std::size_t>> broken_;  // partner and rail
  std::vector<Measurement> facts_;
  Shares shares_;
  std::size_t left_out_ = 0;
};

}  // namespace

void measure_between_hosts(Context& context, const RdmaRequest& request) { BetweenHosts(context, request).run(); }

}  // namespace muster::healthcheck
