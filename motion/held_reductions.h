// HeldReductions: the partial reductions that processors have, in a combining collective (model/MODEL.md, Words).
//
// This is the single state of what is held, for compiler, simulator and exporters. The checker (verifier/checker) and
// the references of the tests keep their own.
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/containers/packet_table.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/contribution_set.h"
#include "motion/packed_sets.h"

namespace quadrille {

// Values begin … end-1 of a combining collective.
struct ValueRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool contains(std::uint32_t value) const { return value >= begin && value < end; }
};

// Each processor has one or more partial reductions of each value, by number: 0 is the one held; the others were
// kept, in the order of their arrival. Functions that change something throw Ended.
class HeldReductions {
 public:
  // Keeps references to both.
  HeldReductions(const Collective& collective, Work& work)
      : collective_(collective), work_(work), held_(work), kept_(&work) {}
  // Likewise, of these values alone: 8 bytes for each of them at each processor, from the beginning on, whether or not
  // anything arrives there.
  HeldReductions(const Collective& collective, Work& work, ValueRange values)
      : collective_(collective), work_(work), held_(work), kept_(&work), values_(values) {
    packed_.emplace(std::uint64_t{values.end - values.begin} * collective.processors(), collective.processors(), work);
  }

  std::uint32_t count(std::uint32_t value, NodeId processor) const {
    return static_cast<std::uint32_t>(1 + kept(value, processor).size());
  }
  // The partial reduction with this number. Requires that it exists.
  ContributionSet at(std::uint32_t value, NodeId processor, std::uint32_t number = 0) const;
  std::vector<ContributionSet> all(std::uint32_t value, NodeId processor) const;

  // The result of joining the partial reductions with these numbers, one after another. It leaves out those that are
  // missing, or overlap the earlier ones.
  struct Chain {
    ContributionSet made;
    bool missing = false;
    std::uint32_t overlapping = 0;
    bool gap = false;  // at some time there was a gap
  };
  Chain chained(std::uint32_t value, NodeId processor, std::span<const std::uint32_t> numbers) const;

  // Takes in an arrival, which is not empty, as `said`; `joined`: as its contributions allow. Returns what has become
  // of it; `joined` means that nothing has, because it is a fault. A partial reduction that contains the one held is
  // stored, even if they can also be combined.
  Arrival arrive(std::uint32_t value, NodeId processor, const ContributionSet& brought, Arrival said);

  // The numbers of the partial reductions with wanted contributions only, in the order of their smallest
  // contributions.
  std::vector<std::uint32_t> wanted(std::uint32_t value, NodeId processor, const ContributionSet& all) const;

  // Whether the two can be united.
  bool fit(const ContributionSet& a, const ContributionSet& b) const {
    return collective_.idempotent() || a.disjoint(b);
  }

  // Calls visit(value, processor, held) for each place at which something has arrived, in no particular order. At
  // other places a processor has its own contribution. Requires that they are of all values.
  template <class Visit>
  void each(const Visit& visit) const {
    held_.each([&](const PlaceKey& place, const ContributionSet& held) {
      visit(static_cast<std::uint32_t>(place.packet), NodeId(place.node), held);
    });
  }

 private:
  std::span<const ContributionSet> kept(std::uint32_t value, NodeId processor) const;
  ContributionSet& entry(std::uint32_t value, NodeId processor);
  Arrival take_in(ContributionSet& held, const ContributionSet& brought, Arrival said) const;
  std::uint64_t place(std::uint32_t value, NodeId processor) const {
    return std::uint64_t{value - values_.begin} * collective_.processors() + processor.value;
  }

  const Collective& collective_;
  Work& work_;
  PacketTable<PlaceKey, ContributionSet> held_;                                         // by value
  std::pmr::map<std::pair<std::uint32_t, NodeId>, std::vector<ContributionSet>> kept_;  // likewise
  ValueRange values_;
  std::optional<PackedSets> packed_;  // of these values, in place of held_; where it is empty, nothing has arrived
};

}  // namespace quadrille
