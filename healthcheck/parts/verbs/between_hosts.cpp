// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/verbs/between_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <sstream>
#include <utility>

#include "benchmarks/sampling/culprit.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/job.hpp"
#include "healthcheck/check/pair_facts.hpp"

namespace muster::healthcheck {
namespace {

namespace verbs = benchmarks::verbs;
using benchmarks::verbs::TransferResult;
using results::Labels;
using results::Measurement;
using Clock = std::chrono::steady_clock;

class BetweenHosts {
 public:
  BetweenHosts(Context& context, const RdmaRequest& request)
      : context_(context),
        request_(request),
        ranks_(context.ranks()),
        hosts_(context.hosts()),
        own_(static_cast<std::size_t>(ranks_.rank())),
        ports_(rdma_ends(context.sysfs(), request.nics)) {}

  void run() {
    const bool any_infiniband = ranks_.max(serve_infiniband(ports_) ? 1 : 0) > 0;  // on any host
    if (any_infiniband && request_.nics.empty()) leave_ethernet_aside(ports_);
    align_rails();
    open_ports();
    tell();
    const auto rounds = benchmarks::rounds(hosts_.size(), benchmarks::enough_rounds);
    const auto turns = turns_of_rails();
    const auto transfers = request_.transfers(any_reaches_gpu());
    const auto parts = request_.is_both_ways ? std::vector{Posts::both} : std::vector{Posts::first, Posts::second};
    shares_ = {.all = parts.size() * rounds.size() * transfers.size() * turns.size()};
    for (const auto& transfer : transfers) {
      for (const auto& round : rounds)
        for (const auto posts : parts)
          for (const auto& rail : turns)
            if (in_time()) exchange(transfer, part_in(round, posts), rail);
      tell();
    }
    if (ranks_.rank() == 0) request_.conclude(context_, std::move(of_pairs_), hosts_.size(), shares_);
  }

 private:
  static constexpr std::string_view no_guid = "-";

  // A port as its host tells the others.
  struct Rail {
    std::string nic;
    int port = 0;
    std::string state;
    double bits_per_second = 0;  // of its link; none where nobody knows
    std::string guid{no_guid};

    std::pair<std::string, int> name() const { return {nic, port}; }
    std::optional<double> rate() const { return bits_per_second > 0 ? std::optional(bits_per_second) : std::nullopt; }
  };

  // Of a pair.
  enum class Posts { first, second, both };

  verbs::RoundRole part_in(const std::vector<benchmarks::Pair>& round, Posts posts) const {
    const bool first_posts = posts != Posts::second;
    const bool second_posts = posts != Posts::first;
    for (const auto& [first, second] : round) {
      if (first == own_) return {.partner = static_cast<int>(second), .posts = first_posts, .takes = second_posts};
      if (second == own_) return {.partner = static_cast<int>(first), .posts = second_posts, .takes = first_posts};
    }
    return {};
  }

  // All at once, or one after the other.
  std::vector<std::optional<std::size_t>> turns_of_rails() const {
    if (!request_.takes_turns()) return {std::nullopt};
    std::size_t most = 0;
    for (const auto& rails : rails_) most = std::max(most, rails.size());
    std::vector<std::optional<std::size_t>> turns;
    for (std::size_t rail = 0; rail < most; ++rail) turns.emplace_back(rail);
    return turns;
  }

  // On all ranks, or on none.
  bool in_time() {
    const bool is_over = ranks_.max(Clock::now() > context_.deadline() ? 1 : 0) > 0;
    if (is_over) ++shares_.left_out;
    return !is_over;
  }

  Labels labels(std::size_t rail) const {
    auto labels = ports_[rail].labels();
    labels.insert({{"host", hosts_[own_]}, {"rail", std::to_string(rail)}});
    return labels;
  }

  // Ports of one name are of one rail, where some host has all names that there are, or each has most of them; else
  // those of one place in their lists are, as far as these go.
  void align_rails() {
    std::string own;
    for (const RdmaEnd& port : ports_)
      own += fmt::format("{} {} {} {} {}\n", port.hca.name, port.port.number, port.state(), port.rate.value_or(0),
                         port.hca.node_guid.empty() ? no_guid : port.hca.node_guid);
    for (const auto& text : all_gather(ranks_, own)) {
      std::istringstream lines(text);
      auto& rails = rails_.emplace_back();
      for (Rail rail; lines >> rail.nic >> rail.port >> rail.state >> rail.bits_per_second >> rail.guid;)
        rails.push_back(rail);
    }
    std::map<std::pair<std::string, int>, Rail> all;
    for (const Rail& rail : rails_ | std::views::join)
      all.insert({rail.name(), {.nic = rail.nic, .port = rail.port, .state = "missing"}});
    const auto values = all | std::views::values;
    const std::vector<Rail> names(values.begin(), values.end());
    const bool one_has_all = std::ranges::count(rails_, names.size(), &std::vector<Rail>::size) > 0;
    const auto has_most = [&](const std::vector<Rail>& rails) { return 2 * rails.size() > names.size(); };
    if (!one_has_all && !std::ranges::all_of(rails_, has_most)) return;
    for (auto& rails : rails_) {
      auto aligned = names;
      for (Rail& name : aligned)
        if (const auto own_one = std::ranges::find(rails, name.name(), &Rail::name); own_one != rails.end())
          name = *own_one;
      rails = std::move(aligned);
    }
    std::vector<RdmaEnd> aligned;
    for (const Rail& name : names) {
      const auto port = std::ranges::find(
          ports_, name.name(), [](const RdmaEnd& each) { return std::pair(each.hca.name, each.port.number); });
      aligned.push_back(port == ports_.end() ? missing(name) : std::move(*port));
    }
    ports_ = std::move(aligned);
  }

  static RdmaEnd missing(const Rail& rail) {
    RdmaEnd port;
    port.hca.name = rail.nic;
    port.port.number = rail.port;
    port.port.state = "missing";
    return port;
  }

  void open_ports() {
    bool is_any_active = false;
    for (std::size_t host = 0; host < rails_.size(); ++host)
      for (std::size_t rail = 0; rail < rails_[host].size(); ++rail) {
        if (rails_[host][rail].state != "ACTIVE") continue;
        is_any_active = true;
        expect_active(rail, hosts_[host]);
      }
    if (!is_any_active && request_.nics.empty()) throw Skip("no RDMA port is active on any host");
    for (std::size_t rail = 0; rail < ports_.size(); ++rail)
      if (request_.misses(ports_[rail], ports_) && lacking_.insert(rail).second)
        facts_.push_back(request_.fact("port_lost", ports_[rail].state(), labels(rail)));
    const auto labels_of = [&](const RdmaEnd& port) { return labels(static_cast<std::size_t>(&port - ports_.data())); };
    std::ranges::move(request_.open(context_, ports_, labels_of), std::back_inserter(facts_));
  }

  // On any host.
  bool any_reaches_gpu() { return ranks_.max(std::ranges::any_of(ports_, &RdmaEnd::reaches_gpu) ? 1 : 0) > 0; }

  // A rail that another host has; said once.
  void expect_active(std::size_t rail, const std::string& host) {
    if (rail < ports_.size() && ports_[rail].is_active()) return;
    if (!lacking_.insert(rail).second) return;
    if (rail < ports_.size())
      facts_.push_back(
          request_.fact("port_lost", fmt::format("{} here, ACTIVE on {}", ports_[rail].state(), host), labels(rail)));
    else
      facts_.push_back(request_.fact("port_lost", fmt::format("{} has a port here", host),
                                     {{"host", hosts_[own_]}, {"rail", std::to_string(rail)}}));
  }

  // The ports that still serve with this partner, and have their turn.
  std::vector<verbs::CountedPort> usable(const RdmaCase& transfer, std::optional<int> partner,
                                         std::optional<std::size_t> turn) const {
    std::vector<verbs::CountedPort> all;
    for (std::size_t rail = 0; rail < ports_.size(); ++rail) {
      all.push_back(ports_[rail].counted(context_, transfer));
      if ((turn && *turn != rail) || (partner && broken_.contains({*partner, rail}))) all.back().port = nullptr;
    }
    return all;
  }

  // That the thresholds are of: of adapters of both, InfiniBand.
  std::string link_layer() const {
    std::string found;
    for (const RdmaEnd& port : ports_)
      if (port.is_active() && found != "InfiniBand") found = port.port.link_layer;
    return found;
  }

  void exchange(const RdmaCase& transfer, const verbs::RoundRole& part, std::optional<std::size_t> turn) {
    context_.phase(fmt::format("{} with {}{}", to_text(transfer.operation),
                               part.partner ? hosts_[static_cast<std::size_t>(*part.partner)] : "nobody",
                               turn ? fmt::format(" on rail {}", *turn) : ""));
    Labels where{{"path", "wire"}, {"link_layer", link_layer()}};
    const auto passages = verbs::exchange(ranks_, part, usable(transfer, part.partner, turn),
                                          request_.traffic(context_, transfer, std::move(where), shares_));
    if (!part.partner) return;
    for (std::size_t rail = 0; rail < ports_.size(); ++rail) {
      if (passages[rail].met) take(passages[rail], *part.partner, rail, transfer, part.posts);
      if (!passages[rail].refused.empty())
        give_up(rail, request_.fact("refused", passages[rail].refused, labels(rail)));
    }
  }

  void give_up(std::size_t rail, Measurement reason) {
    facts_.push_back(std::move(reason));
    ports_[rail].opened = nullptr;
  }

  void take(const TransferResult& passage, int partner, std::size_t rail, const RdmaCase& transfer, bool posted) {
    if (!passage.problem.empty()) broken_.insert({partner, rail});
    if (passage.lost_here) give_up(rail, request_.lost(passage, labels(rail)));
    if (!posted || passage.lost_here || passage.lost_there) return;
    const auto& theirs = rails_[static_cast<std::size_t>(partner)].at(rail);
    Labels there{{"host", hosts_[static_cast<std::size_t>(partner)]},
                 {"nic", theirs.nic},
                 {"port", std::to_string(theirs.port)}};
    if (theirs.guid != no_guid) there.emplace("guid", theirs.guid);
    const auto rate = rate_of_path(ports_[rail].rate, theirs.rate());
    std::ranges::move(request_.facts_of_pair(passage, rate, transfer, labels(rail), there), std::back_inserter(facts_));
  }

  // What all hosts have found since it was last told, so that it is on disk should the job not come to an end; what
  // pairs say is known in the end only. Collective.
  void tell() {
    auto facts = gather_facts(ranks_, std::exchange(facts_, {}));
    if (ranks_.rank() == 0) request_.tell(context_, std::move(facts), of_pairs_);
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
  std::vector<Measurement> facts_;                // that were not told yet
  std::vector<Measurement> of_pairs_;             // of all hosts, on rank 0
  TimeShares shares_;
};

}  // namespace

void measure_between_hosts(Context& context, const RdmaRequest& request) { BetweenHosts(context, request).run(); }

}  // namespace muster::healthcheck
