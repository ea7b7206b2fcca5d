// Disjoint contributions give the same result whether they join at a switch or at the processor where they arrive. But
// with an ordered operation, a row that leaves a switch must have no gaps. So a message may join another one if, from
// the switch on where they meet, its contributions are disjoint from the other's, and the union has no gap. Otherwise
// it goes in another round, or by another path.
//
//   around a switch 1 and 2 send to 0 in one round: one message; of 1 and 3, if the operation is ordered, two rounds
//
// Cost: a look-up for the round; for each message there that is alike, the path; for joining, the sets from there on.
#include "place/rounds/joining_rounds.h"

#include <algorithm>

namespace quadrille {

// As joined_messages.h has it: the first that it meets.
const JoiningRounds::Message* JoiningRounds::met(const JoiningLoad& load, std::span<const ChannelId> path,
                                                 std::uint32_t round, std::size_t& channels) const {
  const auto found = placed_.find({load.key, round});
  if (found == placed_.end() || JoinedMessages::twice(load.key)) return nullptr;
  for (const Message& message : found->second) {
    const auto length = JoinedMessages::before_meeting(fabric_, path, message.left);
    if (!length) continue;
    channels = *length;
    return &message;
  }
  return nullptr;
}

bool JoiningRounds::may_join(const JoiningLoad& load, const Message& message, NodeId at) const {
  while (at != load.key.first) {
    const Carried& there = message.carried.at(at);
    if (there.size() != load.carried.size()) return false;
    for (std::size_t i = 0; i < there.size(); ++i) {
      const ContributionSet& set = load.carried[i];
      if (set.empty()) return false;
      if (collective_.idempotent()) continue;
      if (!there[i].disjoint(set)) return false;
      if (collective_.operation() == Operation::ordered && there[i].united(set).has_gap()) return false;
    }
    at = fabric_.channel(message.out.at(at)).to;
  }
  return true;
}

JoiningRounds::Fit JoiningRounds::fit(const JoiningLoad& load, std::span<const ChannelId> path,
                                      std::uint32_t round) const {
  Fit fit{true, false, path.size()};
  if (const Message* message = met(load, path, round, fit.channels)) {
    fit.joins = true;
    fit.allowed = may_join(load, *message, fabric_.channel(path[fit.channels]).from);
  }
  return fit;
}

void JoiningRounds::book(const JoiningLoad& load, std::span<const ChannelId> path, std::uint32_t round) {
  std::size_t own = path.size();
  const Message* joined = met(load, path, round, own);
  std::vector<Message>& alike = placed_[{load.key, round}];
  Message& message = joined != nullptr ? alike[static_cast<std::size_t>(joined - alike.data())] : alike.emplace_back();
  const bool known = std::ranges::none_of(load.carried, &ContributionSet::empty);
  const Carried carried = known ? load.carried : Carried();
  for (const ChannelId e : path.first(own)) {
    const NodeId from = fabric_.channel(e).from;
    message.left.insert(from);
    message.out.emplace(from, e);
    message.carried[from] = carried;
  }
  if (joined == nullptr) return;
  for (NodeId at = fabric_.channel(path[own]).from; at != load.key.first;) {
    Carried& there = message.carried[at];
    for (std::size_t i = 0; i < there.size() && i < carried.size(); ++i) there[i] = there[i].united(carried[i]);
    at = fabric_.channel(message.out.at(at)).to;
  }
}

std::optional<std::uint32_t> JoiningRounds::next_alike(const JoiningLoad& load, std::uint32_t first) const {
  const auto found = placed_.lower_bound({load.key, first});
  if (found == placed_.end() || found->first.first != load.key) return std::nullopt;
  return found->first.second;
}

bool JoiningRounds::follow(const JoiningLoad& load, NodeId node, std::uint32_t round,
                           std::vector<ChannelId>& path) const {
  const auto found = placed_.find({load.key, round});
  if (found == placed_.end() || fabric_.is_processor(node)) return false;
  const auto leaves = [&](const Message& message) { return message.left.contains(node); };
  const auto message = std::ranges::find_if(found->second, leaves);
  if (message == found->second.end()) return false;
  for (NodeId at = node; at != load.key.first; at = fabric_.channel(path.back()).to) {
    path.push_back(message->out.at(at));
  }
  return true;
}

}  // namespace quadrille
