// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/passage.hpp"

#include <sstream>
#include <utility>

#include "benchmarks/packed.hpp"

namespace muster::benchmarks {
namespace {

// What an end tells its partner before data move.
struct Offer {
  bool is_open = false;
  QueuePairAddress address;
};

// And afterwards.
struct Outcome {
  bool is_lost = false;  // its port
  double payload = 0;
  std::optional<double> sent;
  std::size_t wrong = 0;
};

Offer offer_of(const Lane& lane) {
  return lane.is_open() ? Offer{.is_open = true, .address = lane.address()} : Offer{};
}

Outcome outcome_of(const Lane& lane) {
  Outcome outcome{.is_lost = lane.port_is_lost()};
  if (!lane.is_open()) return outcome;
  outcome.payload = lane.payload_bytes();
  outcome.sent = lane.sent_bytes();
  outcome.wrong = lane.wrong_bytes();
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
auto of_each(const std::vector<Lane>& lanes, Say say) {
  std::vector<decltype(say(lanes.front()))> words;
  for (const Lane& lane : lanes) words.push_back(say(lane));
  return words;
}

// The same of a line for each lane. Collective.
std::vector<std::string> exchanged(Ranks& ranks, std::optional<int> partner, const std::vector<std::string>& own) {
  std::string lines;
  for (const auto& line : own) lines += line + "\n";
  std::istringstream text(exchanged(ranks, partner, lines));
  std::vector<std::string> theirs(own.size());
  for (auto& line : theirs) std::getline(text, line);
  return theirs;
}

}  // namespace

Passage loop_back(const CountedPort& port, const Traffic& traffic) {
  Lane lane(port);
  lane.open(traffic, Lane::Ends::both);
  lane.connect();
  auto sampled = drive(std::span(&lane, 1), traffic);
  return {.met = true,
          .refused = {},
          .problem = lane.problem(),
          .lost_here = lane.port_is_lost(),
          .sampled = std::move(sampled.front()),
          .payload_bytes = lane.payload_bytes(),
          .sent_bytes = lane.sent_bytes(),
          .wrong_bytes = lane.wrong_bytes()};
}

std::vector<Passage> meet(Ranks& ranks, const Part& part, std::span<const CountedPort> ports, const Traffic& traffic) {
  std::vector<Lane> lanes(ports.begin(), ports.end());
  if (part.partner)
    for (Lane& lane : lanes) lane.open(traffic, part.posts ? Lane::Ends::initiator : Lane::Ends::target);
  const auto problem_of = [](const Lane& lane) { return lane.problem(); };
  const auto refused = of_each(lanes, problem_of);
  const auto both_open = [&](const auto& step) {
    const auto offers = exchanged(ranks, part.partner, of_each(lanes, offer_of));
    for (std::size_t rail = 0; rail < lanes.size(); ++rail)
      if (lanes[rail].is_open() && offers[rail].is_open)
        step(lanes[rail], offers[rail].address);
      else
        lanes[rail].close();
  };
  both_open([](Lane& lane, const QueuePairAddress& partner) { lane.connect(partner); });
  both_open([](Lane&, const QueuePairAddress&) {});  // nothing moves before both are connected
  auto sampled = drive(lanes, traffic);

  const auto outcomes = of_each(lanes, outcome_of);
  const auto partners = exchanged(ranks, part.partner, outcomes);
  auto problems = of_each(lanes, problem_of);
  for (std::size_t rail = 0; rail < lanes.size(); ++rail)
    if (!refused[rail].empty()) problems[rail].clear();
  const auto their_problems = exchanged(ranks, part.partner, problems);
  std::vector<Passage> passages;
  for (std::size_t rail = 0; rail < lanes.size(); ++rail) {
    const auto& own = outcomes[rail];
    const auto& theirs = partners[rail];
    const auto& problem = problems[rail].empty() ? their_problems[rail] : problems[rail];
    const bool own_data = part.posts != comes_back(traffic.operation);  // whether they came from here
    passages.push_back({.met = lanes[rail].is_open() || !problem.empty(),
                        .refused = refused[rail],
                        .problem = problem,
                        .lost_here = own.is_lost,
                        .lost_there = theirs.is_lost,
                        .sampled = std::move(sampled[rail]),
                        .payload_bytes = own.payload + theirs.payload,  // one of them has none
                        .sent_bytes = own_data ? own.sent : theirs.sent,
                        .wrong_bytes = comes_back(traffic.operation) ? own.wrong : theirs.wrong,
                        .wrong_answers = comes_back(traffic.operation) ? 0 : own.wrong});
  }
  return passages;
}

}  // namespace muster::benchmarks
