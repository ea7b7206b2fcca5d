// The replay of a reduction reads rows step by step, and gives every packet the set of contributions that it carries.
//
// A row out of its packet's origin takes the partial reduction that the origin holds. A row out of any other node
// takes the set that the latest row of that packet brought there. The packet's target joins it at the end of the step.
// (model/MODEL.md, Holding.) For example, in a reduction to 0 among three: `send 2 -> 1` in step 1 leaves {1, 2} at 1;
// `send 1 -> 0` in step 2 carries {1, 2}, which is disjoint from {0}, so 0 holds {0, 1, 2}. Had 2 sent to 0 as well,
// 2's contribution would have come twice: a fault. Sets are lists of intervals, immutable and shared by the rows that
// carry them. Cost: rows · log(rows), and the intervals of the sets that are joined.
#include "place/held/partial_reductions.h"

#include <algorithm>
#include <tuple>

#include "motion/held_reductions.h"
#include "place/flights/chunk_at.h"
#include "place/held/sum_choice.h"

namespace quadrille {
namespace {

class Replay {
 public:
  Replay(const Flights& flights, const Fabric& fabric, const Collective& collective, const Limits& limits,
         ReductionsOfSends* reductions)
      : flights_(flights),
        fabric_(fabric),
        collective_(collective),
        reductions_of_(reductions),
        pulse_(limits),
        work_(limits),
        held_(collective, work_) {}

  PartialReductions run() {
    list_rows();
    for (std::size_t begin = 0; begin < rows_.size() && result_.ended == Reason::none;) {
      std::size_t end = begin;
      while (end < rows_.size() && rows_[end].step == rows_[begin].step) ++end;
      step(begin, end);
      begin = end;
    }
    held_.each([&](std::uint32_t value, NodeId processor, const ContributionSet&) {
      std::vector<ContributionSet>& all = result_.held[{value, processor.value}] = held_.all(value, processor);
      std::sort(all.begin() + 1, all.end());
    });
    return std::move(result_);
  }

 private:
  using Key = PartialReductions::Key;

  struct Row {
    std::uint32_t step = 0;
    std::uint32_t flight = 0;
    std::uint32_t hop = 0;
    ContributionSet carried;
  };
  // A packet that is to be joined: sorted in the order of the joins.
  struct Arrived {
    std::uint32_t processor, value, smallest, channel;
    std::uint64_t chunk;
    std::size_t row;
    bool operator<(const Arrived& o) const {
      return std::tie(processor, value, smallest, channel, row) <
             std::tie(o.processor, o.value, o.smallest, o.channel, o.row);
    }
  };
  // The set that the latest row of a packet brought to a node; of several in one step, the one by the highest channel.
  struct Brought {
    std::uint32_t step = 0;
    std::uint32_t channel = 0;
    ContributionSet set;
  };
  void list_rows() {
    rows_.reserve(flights_.hops.size());
    for (std::uint32_t f = 0; f < flights_.list.size(); ++f) {
      const auto hops = flights_.of(flights_.list[f]);
      for (std::uint32_t h = 0; h < hops.size(); ++h) rows_.push_back({hops[h].step, f, h, {}});
    }
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.step < b.step; });
  }

  ChunkId chunk(const Row& row) const { return flights_.list[row.flight].chunk; }
  ChannelId channel(const Row& row) const { return flights_.of(flights_.list[row.flight])[row.hop].channel; }

  void step(std::size_t begin, std::size_t end) {
    // All departures come before all arrivals, since a packet that arrives in a step cannot leave in it.
    for (std::size_t i = begin; i < end; ++i) rows_[i].carried = picked_up(rows_[i]);
    arrived_.clear();
    for (std::size_t i = begin; i < end; ++i) arrive(i);
    // Joins of a step are ordered by their smallest contribution, not by the rows' order, which a table does not fix.
    std::sort(arrived_.begin(), arrived_.end());
    for (auto next = arrived_.begin(); next != arrived_.end();) {
      const Key key{next->value, next->processor};
      for (; next != arrived_.end() && Key{next->value, next->processor} == key; ++next) join(key, rows_[next->row]);
      if (collective_.ordered() && held_.at(key.first, NodeId(key.second)).has_gap()) ++result_.faults;
    }
    for (std::size_t i = begin; i < end; ++i) {
      rows_[i].carried = {};
      if (pulse_.reached()) result_.ended = pulse_.reason();
    }
  }

  ContributionSet picked_up(const Row& row) {
    const ChunkName name = collective_.name(chunk(row));
    const NodeId from = fabric_.channel(channel(row)).from;
    if (from.value == name.origin) return from_reductions(row, {name.part, name.origin});
    const auto found = brought_.find({chunk(row).value, from.value});
    if (found == brought_.end()) {
      ++result_.faults;
      return {};
    }
    return found->second.set;
  }

  const SentReduction* sent_by(const Row& row) const {
    return reductions_of_ == nullptr ? nullptr : &reductions_of_->of(flights_.list[row.flight].serial);
  }

  ContributionSet from_reductions(const Row& row, Key key) {
    const SentReduction* sent = sent_by(row);
    if (sent == nullptr || sent->sum.empty()) return held_.at(key.first, NodeId(key.second));
    const auto chosen = making_up(held_.all(key.first, NodeId(key.second)), sent->sum, collective_.idempotent());
    if (chosen) {
      result_.sums[row.flight] = *chosen;
      return held_.chained(key.first, NodeId(key.second), *chosen).made;
    }
    ++result_.faults;
    return {};
  }

  void arrive(std::size_t index) {
    const Row& row = rows_[index];
    const ChunkName name = collective_.name(chunk(row));
    const ChannelId by = channel(row);
    const NodeId to = fabric_.channel(by).to;
    if (name.target == to.value && !row.carried.empty()) {
      arrived_.push_back({to.value, name.part, row.carried.smallest(), by.value, chunk(row).value, index});
    }
    // A packet always leaves its origin with the set held there, so the set that was brought is not needed.
    if (name.origin == to.value) return;
    Brought& brought = brought_[{chunk(row).value, to.value}];
    if (brought.step == row.step && by.value < brought.channel) return;
    brought = {row.step, by.value, row.carried};
  }

  void join(Key key, const Row& row) {
    const SentReduction* sent = sent_by(row);
    const bool keeping = sent != nullptr && sent->keeping;
    const Arrival arrival =
        held_.arrive(key.first, NodeId(key.second), row.carried, keeping ? Arrival::kept : Arrival::joined);
    if (arrival == Arrival::joined) ++result_.faults;
    const bool unites = arrival == Arrival::combined || (arrival == Arrival::stored && collective_.idempotent());
    result_.joins[key].push_back({row.flight, row.hop, row.step, row.carried, unites, arrival == Arrival::kept});
  }

  const Flights& flights_;
  const Fabric& fabric_;
  const Collective& collective_;
  ReductionsOfSends* reductions_of_;
  Pulse pulse_;
  Work work_;
  HeldReductions held_;
  std::vector<Row> rows_;
  std::vector<Arrived> arrived_;
  ByChunkAt<Brought> brought_;  // by packet and node
  PartialReductions result_;
};

}  // namespace

PartialReductions partial_reductions(const Flights& flights, const Fabric& fabric, const Collective& collective,
                                     const Limits& limits, ReductionsOfSends* reductions) {
  try {
    return Replay(flights, fabric, collective, limits, reductions).run();
  } catch (const Ended& ended) {
    return {.held = {}, .joins = {}, .faults = 0, .ended = ended.reason};
  }
}

}  // namespace quadrille
