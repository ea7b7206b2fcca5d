#include "tests/verifier/message_paths.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace quadrille::tests {
namespace {

class MessagePaths {
 public:
  MessagePaths(const Fabric& fabric, const Collective& collective) : fabric_(fabric) {
    const Switching switches = fabric.rules().switches;
    branches_ = !collective.combining() && switches != Switching::forward;
    joins_ = collective.combining() && switches == Switching::reduce;
  }

  std::vector<MessagePath> all() const {
    std::vector<MessagePath> ways;
    for (std::uint32_t set = 1; set < 1U << fabric_.channels(); ++set) {
      if (auto way = well_formed(set)) ways.push_back(*std::move(way));
    }
    return ways;
  }

 private:
  using Degrees = std::map<NodeId, int>;

  std::optional<MessagePath> well_formed(std::uint32_t set) const {
    MessagePath way;
    Degrees in;
    Degrees out;
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      if ((set >> e & 1U) == 0) continue;
      way.channels.emplace_back(e);
      ++out[fabric_.channel(ChannelId(e)).from];
      ++in[fabric_.channel(ChannelId(e)).to];
    }
    for (const auto& [node, number] : out) {
      if (!in.contains(node)) way.senders.push_back(node);
    }
    for (const auto& [node, number] : in) {
      if (!out.contains(node)) way.receivers.push_back(node);
    }
    if (way.senders.empty() || way.receivers.empty()) return std::nullopt;
    const bool one_in = at_most_one(in);
    const bool one_out = at_most_one(out);
    const bool path = one_in && one_out;
    const bool tree = one_in && branches_ && at_switches_only(out);
    const bool joins = one_out && joins_ && at_switches_only(in) && in.at(way.receivers.front()) == 1;
    if (!path && !tree && !joins) return std::nullopt;
    if (one_in ? way.senders.size() > 1 : way.receivers.size() > 1) return std::nullopt;
    if (!hang_together(way.channels)) return std::nullopt;
    return way;
  }

  static bool at_most_one(const Degrees& degrees) {
    return std::ranges::all_of(degrees, [](const auto& it) { return it.second <= 1; });
  }
  bool at_switches_only(const Degrees& degrees) const {
    return std::ranges::all_of(degrees,
                               [this](const auto& it) { return it.second <= 1 || !fabric_.is_processor(it.first); });
  }

  bool hang_together(const std::vector<ChannelId>& channels) const {
    std::set<NodeId> reached{fabric_.channel(channels.front()).from};
    for (std::size_t again = 0; again <= channels.size(); ++again) {
      for (const ChannelId e : channels) {
        const Channel& channel = fabric_.channel(e);
        if (!reached.contains(channel.from) && !reached.contains(channel.to)) continue;
        reached.insert({channel.from, channel.to});
      }
    }
    // A circle beside a path, or anything in two pieces, has more.
    return reached.size() == channels.size() + 1 &&
           std::ranges::all_of(channels, [&](ChannelId e) { return reached.contains(fabric_.channel(e).from); });
  }

  const Fabric& fabric_;
  bool branches_ = false;
  bool joins_ = false;
};

}  // namespace

std::vector<MessagePath> message_paths(const Fabric& fabric, const Collective& collective) {
  return MessagePaths(fabric, collective).all();
}

}  // namespace quadrille::tests
