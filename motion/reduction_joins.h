// Joins partial reductions in switches (model/MODEL.md, Switches and Rounds).
//
// For example, two messages bring {0} and {1} to one switch, or the paths of one message meet there: {0, 1} leaves it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/contribution_set.h"
#include "motion/step_messages.h"

namespace quadrille {

// A partial reduction that a row, the last one of its message, brings to a switch.
struct BroughtReduction {
  Row row;
  std::uint32_t number = 0;  // of the row in its step, or of the move that it ends
  ContributionSet carried = {};
};

// Joins all that is brought in the order of the smallest contribution, channel, lane and packet, but for what is empty.
// into(brought): the set that it joins. clash(brought): it overlaps that set in an operation that is not idempotent,
// and is left out. Throws Ended.
template <class Into, class Clash>
void join_in_order(std::vector<BroughtReduction>& all, const Collective& collective, Work& work, const Into& into,
                   const Clash& clash) {
  std::erase_if(all, [](const BroughtReduction& it) { return it.carried.empty(); });
  std::stable_sort(all.begin(), all.end(), [&](const BroughtReduction& a, const BroughtReduction& b) {
    work.spend(1);
    return std::tuple(a.carried.smallest(), a.row.channel, a.row.lane, a.row.chunk) <
           std::tuple(b.carried.smallest(), b.row.channel, b.row.lane, b.row.chunk);
  });
  for (const BroughtReduction& it : all) {
    ContributionSet& joined = into(it);
    if (joined.empty()) {
      joined = it.carried;
    } else if (collective.idempotent() || joined.disjoint(it.carried)) {
      joined = joined.united(it.carried);
      work.take(joined.intervals(), sizeof(ContributionSet::Interval));  // an upper bound
    } else {
      clash(it);
    }
  }
}

// Joins, for one packet of a message whose paths join, all that reaches its receiver. take(row): what leaves a sender.
// join(node, brought): what leaves a switch to which this is brought. What comes to a node is known before what leaves
// it.
template <class Take, class Join>
ContributionSet joined_along(const Message& message, std::uint32_t packet, const StepRows& batch, const Fabric& fabric,
                             const Take& take, const Join& join) {
  std::map<NodeId, std::vector<BroughtReduction>> brought;
  ContributionSet last;
  for (const std::uint32_t hop : message.inwards) {
    const std::uint32_t row = message.row(packet, hop);
    const Channel& channel = fabric.channel(message.hops[hop].channel);
    const auto before = brought.find(channel.from);
    last = before == brought.end() ? take(row) : join(channel.from, before->second);
    brought[channel.to].push_back({batch.rows[row], row, last});
  }
  return last;
}

}  // namespace quadrille
