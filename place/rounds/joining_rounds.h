// JoiningRounds: the messages placed so far, by round, where switches reduce. It says where another message would join
// them, and whether the result is the same as if both came by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "motion/contribution_set.h"
#include "place/rounds/joined_messages.h"

namespace quadrille {

// What a message brings: its receiver, targets and parts, and for each of these the contributions; empty: not known.
struct JoiningLoad {
  JoinedMessages::Key key;
  std::vector<ContributionSet> carried;
};

class JoiningRounds {
 public:
  // Both must outlive it.
  JoiningRounds(const Fabric& fabric, const Collective& collective) : fabric_(fabric), collective_(collective) {}

  struct Fit {
    bool allowed = true;       // else what would join there must stay apart
    bool joins = false;        // another message, at a switch
    std::size_t channels = 0;  // so many of the path are its own
  };
  // Says how a message would go by that path in that round.
  Fit fit(const JoiningLoad& load, std::span<const ChannelId> path, std::uint32_t round) const;
  void book(const JoiningLoad& load, std::span<const ChannelId> path, std::uint32_t round);

  // The first round from `first` on in which a message is placed that this one may meet.
  std::optional<std::uint32_t> next_alike(const JoiningLoad& load, std::uint32_t first) const;

  // Goes on from the node by the way of a message of that round that it could join there; false if there is none.
  bool follow(const JoiningLoad& load, NodeId node, std::uint32_t round, std::vector<ChannelId>& path) const;

 private:
  using Carried = std::vector<ContributionSet>;  // by target and part
  struct Message {
    std::set<NodeId> left;
    std::map<NodeId, ChannelId> out;
    std::map<NodeId, Carried> carried;  // out of each node that was left; empty: not known
  };
  using Place = std::pair<JoinedMessages::Key, std::uint32_t>;  // what is alike in messages that join, and a round

  const Message* met(const JoiningLoad& load, std::span<const ChannelId> path, std::uint32_t round,
                     std::size_t& channels) const;
  bool may_join(const JoiningLoad& load, const Message& message, NodeId at) const;

  const Fabric& fabric_;
  const Collective& collective_;
  std::map<Place, std::vector<Message>> placed_;
};

}  // namespace quadrille
