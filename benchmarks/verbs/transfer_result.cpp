// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/transfer_result.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/ranks/packed.hpp"
#include "benchmarks/ranks/thread_ranks.hpp"

namespace muster::benchmarks::verbs {
namespace {

using Clock = std::chrono::steady_clock;

// A port that goes down breaks what it carries a moment before it says so.
constexpr std::chrono::milliseconds time_to_go_down(300);

// With all the time of sampling that there was when its ends were begun to be made: memory may take long to register.
Traffic put_off(Traffic traffic, Clock::time_point begun) {
  traffic.end += Clock::now() - begun;
  return traffic;
}

// What an end tells its partner before data move.
struct Offer {
  bool is_open = false;
  ChannelAddress address;
};

// And afterwards.
struct Outcome {
  bool is_lost = false;  // its port
  double payload = 0;
  std::optional<double> sent;
  std::size_t wrong_at_initiator = 0;
  std::size_t wrong_at_target = 0;
  bool is_verified = true;
};

Offer offer_of(const PortChannel& lane) {
  return lane.is_open() ? Offer{.is_open = true, .address = lane.address()} : Offer{};
}

// At any of its ends here.
const std::string& why_unverified(const PortChannel& lane) {
  return lane.at_initiator().problem.empty() ? lane.at_target().problem : lane.at_initiator().problem;
}

Outcome outcome_of(const PortChannel& lane) {
  Outcome outcome{.is_lost = lane.initiator_port().is_lost()};  // that of both ends
  if (!lane.is_open()) return outcome;
  outcome.payload = lane.payload_bytes();
  outcome.sent = (lane.posts() ? lane.initiator_port() : lane.target_port()).sent_bytes();
  outcome.wrong_at_initiator = lane.at_initiator().wrong_bytes;
  outcome.wrong_at_target = lane.at_target().wrong_bytes;
  outcome.is_verified = why_unverified(lane).empty();
  return outcome;
}

// The text of the partner, none where there is none. Collective.
std::string exchanged(Ranks& ranks, std::optional<int> partner, const std::string& own) {
  const auto all = all_gather(ranks, own);
  return partner ? all[static_cast<std::size_t>(*partner)] : "";
}

// The same of an item for each lane, as many as this rank has. Collective.
template <class Item>
std::vector<Item> exchanged(Ranks& ranks, std::optional<int> partner, const std::vector<Item>& own) {
  auto theirs = unpacked<Item>(exchanged(ranks, partner, packed(std::span(own))));
  theirs.resize(own.size());
  return theirs;
}

template <class Say>
auto of_each(const std::vector<PortChannel>& lanes, Say say) {
  std::vector<decltype(say(lanes.front()))> words;
  for (const PortChannel& lane : lanes) words.push_back(say(lane));
  return words;
}

// What partners tell each other as soon as their own ends are over: why each lane broke, if it did, so that nobody
// waits for it.
class PartnerStatus {
 public:
  PartnerStatus(Ranks& ranks, std::optional<int> partner, std::span<PortChannel> lanes)
      : ranks_(ranks), partner_(partner), lanes_(lanes), theirs_(lanes.size()) {}

  void tell(const std::vector<std::string>& problems) {
    std::string lines;
    for (const auto& problem : problems) lines += problem + "\n";
    if (partner_) ranks_.tell(*partner_, lines);
  }

  // Closes the lanes that the partner has given up.
  void listen() {
    if (!partner_ || heard_) return;
    const auto lines = ranks_.heard(*partner_);
    if (!lines) return;
    heard_ = true;
    std::istringstream text(*lines);
    for (std::size_t rail = 0; rail < lanes_.size(); ++rail) {
      std::getline(text, theirs_[rail]);
      if (!theirs_[rail].empty()) lanes_[rail].close();
    }
  }

  // What the partner has told, once it has.
  const std::vector<std::string>& theirs() {
    for (listen(); partner_ && !heard_; listen()) std::this_thread::sleep_for(between_news);
    return theirs_;
  }

 private:
  Ranks& ranks_;
  std::optional<int> partner_;
  std::span<PortChannel> lanes_;
  std::vector<std::string> theirs_;
  bool heard_ = false;
};

std::vector<PortChannel> opened(const RoundRole& part, std::span<const CountedPort> ports, const Traffic& traffic) {
  std::vector<PortChannel> lanes;
  for (const auto& port : ports) {
    PortChannel& lane = lanes.emplace_back(port, port);
    if (part.partner && part.posts) lane.open_initiator(traffic);
    if (part.partner && part.takes) lane.open_target(traffic);
  }
  return lanes;
}

// Connects the lanes that are open at both ends, and closes all others. Collective.
void connect(std::vector<PortChannel>& lanes, Ranks& ranks, std::optional<int> partner) {
  const auto both_open = [&](const auto& step) {
    const auto offers = exchanged(ranks, partner, of_each(lanes, offer_of));
    for (std::size_t rail = 0; rail < lanes.size(); ++rail)
      if (lanes[rail].is_open() && offers[rail].is_open)
        step(lanes[rail], offers[rail].address);
      else
        lanes[rail].close();
  };
  both_open([](PortChannel& lane, const ChannelAddress& address) { lane.connect(address); });
  both_open([](PortChannel&, const ChannelAddress&) {});  // nothing moves before both are connected
}

std::string problem_of(const PortChannel& lane) { return lane.problem(); }

// Why each lane broke, in the words of this end where it has some. Tells the partner of this end's.
std::vector<std::string> exchanged_problems(const std::vector<PortChannel>& lanes,
                                            const std::vector<std::string>& refused, PartnerStatus& news) {
  auto problems = of_each(lanes, problem_of);
  for (std::size_t rail = 0; rail < lanes.size(); ++rail)
    if (!refused[rail].empty()) problems[rail].clear();
  news.tell(problems);
  const auto& theirs = news.theirs();
  for (std::size_t rail = 0; rail < lanes.size(); ++rail)
    if (problems[rail].empty()) problems[rail] = theirs[rail];
  return problems;
}

// One lane and what its two ends tell of it, but for what was sampled.
TransferResult passage_of(const PortChannel& lane, const Outcome& own, const Outcome& theirs, RdmaOperation operation) {
  const bool comes = comes_back(operation);  // to the end that posts
  return {.met = lane.is_open(),
          .refused = why_unverified(lane),
          .lost_here = own.is_lost,
          .lost_there = theirs.is_lost,
          .mtus = lane.mtus(),
          .gpudirect = lane.gpudirect(),
          .payload_bytes = own.payload,
          .sent_bytes = comes ? theirs.sent : own.sent,
          .wrong_bytes = comes ? own.wrong_at_initiator : theirs.wrong_at_target,
          .wrong_answers = comes ? 0 : own.wrong_at_initiator};
}

}  // namespace

std::vector<TransferResult> exchange(Ranks& ranks, const RoundRole& part, std::span<const CountedPort> ports,
                                     const Traffic& traffic) {
  const auto begun = Clock::now();
  auto lanes = opened(part, ports, traffic);
  const auto refused = of_each(lanes, problem_of);
  connect(lanes, ranks, part.partner);
  PartnerStatus news(ranks, part.partner, lanes);
  auto sampled = drive(lanes, put_off(traffic, begun), [&] { news.listen(); });
  const auto problems = exchanged_problems(lanes, refused, news);
  if (std::ranges::any_of(problems, [](const std::string& problem) { return !problem.empty(); }))
    std::this_thread::sleep_for(time_to_go_down);

  const auto outcomes = of_each(lanes, outcome_of);
  const auto partners = exchanged(ranks, part.partner, outcomes);
  std::vector<TransferResult> passages;
  for (std::size_t rail = 0; rail < lanes.size(); ++rail) {
    auto& passage = passages.emplace_back(passage_of(lanes[rail], outcomes[rail], partners[rail], traffic.operation));
    passage.met = passage.met || !problems[rail].empty();
    if (!refused[rail].empty()) passage.refused = refused[rail];
    passage.problem = problems[rail];
    if (outcomes[rail].is_verified && partners[rail].is_verified) passage.sampled = std::move(sampled[rail]);
  }
  return passages;
}

// As two processes would, each in a thread: of messages to and fro no end must wait until the other had its turn.
std::vector<TransferResult> between_ports(std::span<const Path> paths, const Traffic& traffic) {
  std::array<std::vector<CountedPort>, 2> ports;
  for (const auto& [from, to] : paths) {
    ports[0].push_back(from);
    ports[1].push_back(to);
  }
  std::array<std::vector<TransferResult>, 2> passages;
  as_ranks(passages.size(), [&](Ranks& ranks) {
    const bool posts = ranks.rank() == 0;
    const auto own = static_cast<std::size_t>(ranks.rank());
    passages.at(own) =
        exchange(ranks, {.partner = posts ? 1 : 0, .posts = posts, .takes = !posts}, ports.at(own), traffic);
  });
  auto& [here, there] = passages;
  for (std::size_t at = 0; at < paths.size(); ++at) {
    here[at].refused_there = there[at].refused;
    here[at].is_to_itself = paths[at].from.port == paths[at].to.port;
  }
  return std::move(here);
}

}  // namespace muster::benchmarks::verbs
