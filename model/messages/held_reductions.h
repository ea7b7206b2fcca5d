// HeldReductions: the partial reductions that processors have, in a combining collective (model/MODEL.md, Words).
//
// The one state of what is held, for compiler, simulator and exporters. The checker (verifier/checker) and the
// references of the tests keep their own.
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/limits/work.h"
#include "model/messages/contribution_set.h"
#include "model/messages/packet_table.h"
#include "model/send_table.h"

namespace quadrille {

// Each processor has some of each value, by number: 0 is the one held, the others were kept, in the order in which they
// came. Functions that change something throw Ended.
class HeldReductions {
 public:
  // Both outlive it.
  HeldReductions(const Collective& collective, Work& work)
      : collective_(collective), work_(work), held_(work), kept_(&work) {}

  std::uint32_t count(std::uint32_t value, NodeId processor) const {
    return static_cast<std::uint32_t>(1 + kept(value, processor).size());
  }
  // Requires that it is there.
  ContributionSet at(std::uint32_t value, NodeId processor, std::uint32_t number = 0) const;
  std::vector<ContributionSet> all(std::uint32_t value, NodeId processor) const;

  // What those with these numbers make, one after another: without what is missing, or overlaps what they have made.
  struct Chain {
    ContributionSet made;
    bool missing = false;
    std::uint32_t overlapping = 0;
    bool gap = false;  // at some time
  };
  Chain chained(std::uint32_t value, NodeId processor, std::span<const std::uint32_t> numbers) const;

  // Takes in what arrives, which is not empty, as is `said`; `joined`: as it goes by its contributions. What has become
  // of it; `joined`: nothing, for it is a fault. What contains what is held is stored, even if it can be combined, too.
  Arrival arrive(std::uint32_t value, NodeId processor, const ContributionSet& brought, Arrival said);

  // Of those that have wanted contributions only, the numbers, by smallest contribution.
  std::vector<std::uint32_t> wanted(std::uint32_t value, NodeId processor, const ContributionSet& all) const;

  // Whether the two can be united.
  bool fit(const ContributionSet& a, const ContributionSet& b) const {
    return collective_.idempotent() || a.disjoint(b);
  }

  // Calls visit(value, processor, held) for each place at which something has arrived, in no useful order. Elsewhere a
  // processor has its own contribution.
  template <class Visit>
  void each(const Visit& visit) const {
    held_.each([&](const PlaceKey& place, const ContributionSet& held) {
      visit(static_cast<std::uint32_t>(place.packet), NodeId(place.node), held);
    });
  }

 private:
  std::span<const ContributionSet> kept(std::uint32_t value, NodeId processor) const;

  const Collective& collective_;
  Work& work_;
  PacketTable<PlaceKey, ContributionSet> held_;                                         // by value
  std::pmr::map<std::pair<std::uint32_t, NodeId>, std::vector<ContributionSet>> kept_;  // likewise
};

}  // namespace quadrille
