// Messages of a round whose paths join in switches (model/MODEL.md, Rounds).
//
// Hops are processed inwards, so everything that leads to a node is known before what leaves it. For example, of 1
// and 2 to 0 around switch 3: the hops 1->3 and 2->3 carry {1} and {2}, which join at 3, and 3->0 carries {1, 2}.
// Cost: for each packet, the hops, and a sort of the arrivals at each switch.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "runtime/combining_carrier.h"

namespace quadrille::replaying {

ContributionSet CombiningCarrier::join_paths(const StepRows& batch, const CarriedPacket& move) {
  const Message& message = *move.message;
  std::map<NodeId, std::vector<OnPath>> arrived;
  ContributionSet last;
  for (const std::uint32_t hop : message.inwards) {
    context_.work.spend(1);
    const Row& row = batch.rows[message.row(move.packet, hop)];
    const Channel& channel = context_.fabric.channel(row.channel);
    const auto before = arrived.find(channel.from);
    last = before == arrived.end() ? depart(batch, channel.from, row, row)
                                   : join_at(batch.step, channel.from, std::move(before->second));
    arrived[channel.to].push_back({&row, last});
  }
  return last;
}

ContributionSet CombiningCarrier::join_at(StepId round, NodeId node, std::vector<OnPath> arrivals) {
  const bool meet = arrivals.size() > 1;
  const OnPath any = arrivals.front();
  std::erase_if(arrivals, [](const OnPath& it) { return it.carried.empty(); });
  std::sort(arrivals.begin(), arrivals.end(), [](const OnPath& a, const OnPath& b) {
    return std::tuple(a.carried.smallest(), a.row->channel) < std::tuple(b.carried.smallest(), b.row->channel);
  });
  ContributionSet joined;
  for (const OnPath& arrival : arrivals) {
    if (held_.fit(joined, arrival.carried)) {
      joined = joined.united(arrival.carried);
      context_.work.take(joined.intervals(), sizeof(ContributionSet::Interval));  // an upper bound
      continue;
    }
    context_.faults.add(round, arrival.row->channel, arrival.row->chunk, [&] {
      return fmt::format("a contribution is counted twice: packet {} at switch {}",
                         context_.collective.label(arrival.row->chunk), context_.fabric.name(node));
    });
  }
  if (meet && joined.has_gap() && context_.collective.ordered()) {
    context_.faults.add(round, any.row->channel, any.row->chunk, [&] {
      return fmt::format("the partial reduction that leaves {} in round {} has a gap", context_.fabric.name(node),
                         round.value);
    });
  }
  return joined;
}

}  // namespace quadrille::replaying
