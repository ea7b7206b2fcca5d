// Where lengths count, a message cannot bring more than is needed, and messages cannot stand for one another. So the
// strands are:
// * Paths held: a strand for each lane of each channel, as two messages from a to b may be shorter than one. With
//   single ports there is only one message.
// * Paths shared, single ports: strands of its own for each processor's message, one for each channel.
// * Paths shared, multiple ports: a message may as well be of one chunk, as only loads count, and a node gets each
//   chunk once. So each chunk has one set of strands for each node that is the lowest receiver of a message. If the
//   chunk is wanted once, one set is enough, for one path is enough. Partial reductions of a value with one target
//   leave each processor once; others leave it once for each receiver.
//
//   ring of 4, shared, broadcast from 0: for each of the receivers 1, 2, 3, six of the eight channels at most: none
//   into 0, none out of the receiver
//
// Cost: strands x (strands into the node where they begin).
#include "verifier/search/rounds/volume_network.h"

#include <algorithm>
#include <map>

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_carried = std::uint64_t{1} << 23;  // pairs of strands and what they may carry

bool has_switches(const Fabric& fabric) { return fabric.has_switches(); }

class Builder {
 public:
  Builder(const Fabric& fabric, const Collective& collective, const std::vector<Origin>& origins, Watch& watch)
      : fabric_(fabric), combining_(collective.combining()), origins_(origins), watch_(watch) {
    const Rules& rules = fabric.rules();
    it_.branches = !combining_ && has_switches(fabric) && !rules.switches_forward();
    it_.single = rules.ports == Ports::single;
    it_.half = rules.duplex == Duplex::half;
  }

  RoundNetwork build() {
    const bool held = fabric_.rules().paths == quadrille::Paths::held;
    if (it_.single && all_are_neighbours(fabric_) && (held || all_alike())) {
      for (std::uint32_t e = 0; e < fabric_.channels(); ++e) add(ChannelId(e), {});
    } else if (held) {
      add_lanes();
    } else if (it_.single) {
      add_by_sender();
    } else if (combining_) {
      add_by_value();
    } else {
      for (const Origin& it : origins_) add_by_receiver(it);
    }
    held ? weigh_strands() : weigh_channels();
    if (leads_in_circles(it_)) it_.depth = fabric_.nodes() - 1;
    return std::move(it_);
  }

 private:
  bool all_alike() const {
    return std::ranges::all_of(fabric_.all_channels(), [&](const Channel& channel) {
      return channel.capacity == fabric_.channel(ChannelId(0)).capacity;
    });
  }

  Strand& add(ChannelId e, LaneId lane) {
    const Channel& channel = fabric_.channel(e);
    if (it_.strands.size() * origins_.size() > most_carried) throw Ended{Reason::limit};
    it_.strands.push_back({channel.from, channel.to, e, lane});
    return it_.strands.back();
  }

  void add_lanes() {
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      for (std::uint32_t lane = 0; lane < fabric_.channel(ChannelId(e)).capacity; ++lane) {
        add(ChannelId(e), LaneId(lane));
      }
    }
    add_what_follows(it_, 0, pairs_, watch_);
    for (std::uint32_t e = 0; it_.half && e < fabric_.channels(); ++e) {
      const auto back = fabric_.reverse(ChannelId(e));
      if (back && back->value > e) it_.links.push_back(strands_of(ChannelId(e), back));
    }
  }

  // The strands of a channel, and of the opposite channel if given.
  SharedLink strands_of(ChannelId e, std::optional<ChannelId> back) const {
    SharedLink link{fabric_.channel(e).capacity, {}};
    for (std::uint32_t i = 0; i < it_.strands.size(); ++i) {
      const auto channel = it_.strands[i].channel;
      if (channel == e || (back && channel == back)) link.strands.push_back(i);
    }
    return link;
  }

  void add_by_sender() {
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      const std::size_t first = it_.strands.size();
      for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
        const Channel& channel = fabric_.channel(ChannelId(e));
        if (channel.to.value == p) continue;
        Strand& strand = add(ChannelId(e), {});
        strand.sender = p;
        strand.starts = channel.from.value == p;
      }
      add_what_follows(it_, first, pairs_, watch_);
    }
  }

  void add_by_receiver(const Origin& origin) {
    const auto starts = [&](std::uint32_t v) { return std::ranges::binary_search(origin.starts, v); };
    const auto others = std::ranges::count_if(origin.wanted, [&](std::uint32_t p) { return !starts(p); });
    if (others < 2) return others == 0 ? void() : add_to(origin, std::nullopt);
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      if (!starts(v)) add_to(origin, v);
    }
  }

  // Adds strands for the messages of the chunk with this lowest receiver; or for all, if that does not matter.
  void add_to(const Origin& origin, std::optional<std::uint32_t> receiver) {
    const std::size_t first = it_.strands.size();
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const Channel& channel = fabric_.channel(ChannelId(e));
      if (std::ranges::binary_search(origin.starts, channel.to.value)) continue;
      if (receiver && channel.from.value == *receiver) continue;
      Strand& strand = add(ChannelId(e), {});
      strand.only = origin.value;
      strand.ends = !receiver || channel.to.value == *receiver || (it_.branches && channel.to.value > *receiver);
    }
    add_what_follows(it_, first, pairs_, watch_);
  }

  void add_by_value() {
    std::map<std::uint64_t, std::vector<std::uint32_t>> targets;
    for (const Origin& it : origins_) {
      std::vector<std::uint32_t>& of_value = targets[it.value];
      of_value.insert(of_value.end(), it.wanted.begin(), it.wanted.end());
    }
    for (auto& [value, wanted] : targets) {
      std::ranges::sort(wanted);
      const bool one = wanted.front() == wanted.back();
      for (std::uint32_t u = 0; u < fabric_.nodes(); ++u) {
        if (one && u != wanted.front()) add_partial_reduction(value, u, std::nullopt);
        for (std::uint32_t v = 0; !one && v < fabric_.nodes(); ++v) {
          if (u != v) add_partial_reduction(value, u, v);
        }
      }
    }
  }

  void add_partial_reduction(std::uint64_t value, std::uint32_t sender, std::optional<std::uint32_t> receiver) {
    const std::size_t first = it_.strands.size();
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const Channel& channel = fabric_.channel(ChannelId(e));
      if (channel.to.value == sender || (receiver && channel.from.value == *receiver)) continue;
      Strand& strand = add(ChannelId(e), {});
      strand.sender = sender;
      strand.only = value;
      strand.starts = channel.from.value == sender;
      strand.ends = !receiver || channel.to.value == *receiver;
    }
    add_what_follows(it_, first, pairs_, watch_);
  }

  // The longest message determines the length of a round.
  void weigh_strands() {
    for (std::uint32_t i = 0; i < it_.strands.size(); ++i) it_.loads.push_back({1, {i}});
  }

  // The channel, or half-duplex link, with the highest load determines the length of a round.
  void weigh_channels() {
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const auto back = it_.half ? fabric_.reverse(ChannelId(e)) : std::nullopt;
      if (!back || back->value > e) it_.loads.push_back(strands_of(ChannelId(e), back));
    }
  }

  const Fabric& fabric_;
  bool combining_;
  const std::vector<Origin>& origins_;
  Watch& watch_;
  RoundNetwork it_;
  std::uint64_t pairs_ = 0;
};

}  // namespace

RoundNetwork volume_network(const Fabric& fabric, const Collective& collective, const std::vector<Origin>& origins,
                            Watch& watch) {
  return Builder(fabric, collective, origins, watch).build();
}

std::optional<std::string> why_no_volume(const Fabric& fabric) {
  const Rules& rules = fabric.rules();
  if (rules.paths == quadrille::Paths::held || rules.ports == Ports::multi || !has_switches(fabric)) {
    return std::nullopt;
  }
  return "no formula is about the volume of shared paths with single ports and switches";
}

}  // namespace quadrille::searching
