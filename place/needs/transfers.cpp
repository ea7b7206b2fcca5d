// The first pass finds sources and departures; the second finds the arrivals that matter (joins, and packets that are
// passed on); the third writes down ends and writes.
//
// For example, the contributions {1} and {3} reach 2, one after the other: they are two writes of one cell. With an
// ordered operation, {3} is rank 0 above and {1} rank 0 below, so each side keeps its order and the two sides have
// none. Cost: hops · log(hops); for a multicast of h hops, h^2 (to find where it ends).
#include "place/needs/transfers.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "place/flights/flight_walk.h"
#include "place/needs/cells.h"

namespace quadrille {
namespace {

class Builder {
 public:
  Builder(const Flights& flights, const Fabric& fabric, const Collective& collective,
          const PartialReductions& reductions)
      : flights_(flights), fabric_(fabric), collective_(collective), reductions_(reductions) {}

  Transfers run() {
    result_.list.reserve(flights_.list.size());
    for (std::uint32_t f = 0; f < flights_.list.size(); ++f) begin(f);
    find_joins();
    find_providers();
    result_.ends.reserve(flights_.list.size());
    for (std::uint32_t f = 0; f < flights_.list.size(); ++f) finish(f);
    order_forwarded();
    result_.cells = static_cast<std::uint32_t>(cells_.size());
    return std::move(result_);
  }

 private:
  FlightWalk walk(std::uint32_t f) const { return {flights_, fabric_, f}; }
  static std::uint64_t place(std::uint32_t flight, std::uint32_t hop) { return std::uint64_t{flight} << 32 | hop; }

  // Source and departure. A packet that passes its origin leaves from there: it takes what is held there.
  void begin(std::uint32_t f) {
    const FlightWalk w = walk(f);
    Transfer t;
    t.chunk = flights_.list[f].chunk;
    t.source = w.from(0);
    // The last pass counts: what it carried before is exchanged for what the origin holds then.
    const std::uint32_t origin = collective_.name(t.chunk).origin;
    for (std::uint32_t h = 1; h < w.hops().size(); ++h) {
      if (w.from(h).value == origin) t.read_hop = h, t.source = NodeId(origin);
    }
    t.first_read = static_cast<std::uint32_t>(result_.reads.size());
    read_cells(f, t, t.source.value == origin);
    t.read_count = static_cast<std::uint32_t>(result_.reads.size()) - t.first_read;
    t.departure = w.hops()[t.read_hop].step;
    result_.list.push_back(t);
  }

  // A sum reads the cells of its parts.
  void read_cells(std::uint32_t f, const Transfer& t, bool from_origin) {
    const auto sum = reductions_.sums.find(f);
    if (!from_origin) {
      read(NeedCell::passed_on(t.chunk, t.source));
    } else if (sum == reductions_.sums.end()) {
      read(NeedCell::held(collective_.value_of(t.chunk), t.source));
    } else {
      for (const std::uint32_t part : sum->second) read(NeedCell::held(collective_.value_of(t.chunk), t.source, part));
    }
  }
  void read(const NeedCell& cell) { result_.reads.push_back(number_of(cell)); }

  // Every arrival at the packet's target, and the order in which those of a cell must come.
  void find_joins() {
    for (const auto& [key, all] : reductions_.joins) {
      const auto& [value, processor] = key;
      std::vector<Join> joins;
      std::uint32_t kept = 0;
      for (const Join& join : all) {
        // Only the sums that name a kept arrival read it.
        if (join.kept) {
          cell_ = number_of(NeedCell::held(value, NodeId(processor), ++kept));
          mark_join(join, 0);
        } else {
          joins.push_back(join);
        }
      }
      cell_ = number_of(NeedCell::held(value, NodeId(processor)));
      std::uint32_t phase = 0;
      ContributionSet::Interval held{key.second, key.second};  // ordered operations only
      for (std::size_t begin = 0; begin < joins.size(); ++phase) {
        std::size_t end = begin;
        while (end < joins.size() && joins[end].united) ++end;
        // Joins in runs: those that unite, up to the next that replaces. A replacement is a phase of its own, for what
        // came before it would be lost after it, and the other way round.
        if (end == begin) {  // it replaces what is held
          held = {joins[begin].brought.smallest(), joins[begin].brought.largest()};
          mark_join(joins[begin++], phase);
        } else if (!collective_.ordered()) {
          for (; begin < end; ++begin) mark_join(joins[begin], phase);
        } else if (outwards(held, std::span(joins).subspan(begin, end - begin), phase)) {
          begin = end;
        } else {
          for (; begin < end; ++begin) mark_join(joins[begin], phase++);
        }
      }
    }
  }

  void mark_join(const Join& join, std::uint32_t phase, WriteOrder order = WriteOrder::any, std::uint32_t rank = 0) {
    marked_.insert(place(join.flight, join.hop));
    joins_.emplace(place(join.flight, join.hop), CellWrite{cell_, 0, phase, order, rank});
  }

  // Ordered operations: intervals to both sides of what is held, the nearest first. False if they are not so.
  bool outwards(ContributionSet::Interval& held, std::span<const Join> joins, std::uint32_t phase) {
    std::map<std::uint32_t, const Join*> above;
    std::map<std::uint32_t, const Join*, std::greater<>> below;
    for (const Join& join : joins) {
      if (join.brought.has_gap()) return false;
      const std::uint32_t first = join.brought.smallest();
      if (first > held.first) {
        above.emplace(first, &join);
      } else {
        below.emplace(first, &join);
      }
    }
    ContributionSet::Interval all = held;
    std::uint32_t step = 0;
    for (const auto& [first, join] : above) {
      if (first != all.last + 1 || join->step < step) return false;
      all.last = join->brought.largest();
      step = join->step;
    }
    step = 0;
    for (const auto& [first, join] : below) {
      if (join->brought.largest() + 1 != all.first || join->step < step) return false;
      all.first = first;
      step = join->step;
    }
    std::uint32_t rank = 0;
    for (const auto& [first, join] : above) mark_join(*join, phase, WriteOrder::above, rank++);
    for (const auto& [first, join] : below) mark_join(*join, phase, WriteOrder::below, rank++);
    held = all;
    return true;
  }

  // For each packet that a processor passes on: the row that brought it there.
  void find_providers() {
    using Row = std::tuple<std::uint32_t, ChannelId, std::uint64_t>;  // step, channel, place
    std::map<std::uint32_t, std::vector<Row>> rows;                   // by cell
    for (std::uint32_t f = 0; f < flights_.list.size() && passes_on_; ++f) {
      const FlightWalk w = walk(f);
      for (std::uint32_t h = 0; h < w.hops().size(); ++h) {
        const auto cell = cells_.find(NeedCell::passed_on(flights_.list[f].chunk, w.to(h)));
        if (cell != cells_.end()) rows[cell->second].emplace_back(w.hops()[h].step, w.hops()[h].channel, place(f, h));
      }
    }
    for (auto& [cell, list] : rows) std::sort(list.begin(), list.end());
    for (const Transfer& t : result_.list) {
      const auto found = rows.find(result_.reads[t.first_read]);
      if (found == rows.end()) continue;
      // The latest row before the departure brought the packet that leaves.
      const auto after =
          std::lower_bound(found->second.begin(), found->second.end(), Row{t.departure, ChannelId(0), 0});
      if (after != found->second.begin()) marked_.insert(std::get<2>(*std::prev(after)));
    }
  }

  std::uint32_t number_of(const NeedCell& cell) {
    passes_on_ = passes_on_ || cell.kind == NeedCell::Kind::passed_on;
    return cells_.emplace(cell, static_cast<std::uint32_t>(cells_.size())).first->second;
  }

  // --- ends and writes ---------------------------------------------------------------------------------------------

  void finish(std::uint32_t f) {
    Transfer& t = result_.list[f];
    const FlightWalk w = walk(f);
    t.first_end = result_.ends.size();
    t.first_write = result_.writes.size();
    for (std::uint32_t h = t.read_hop; h < w.hops().size(); ++h) {
      if (!w.last(h) && !marked_.contains(place(f, h))) continue;
      result_.ends.push_back({w.to(h), h, w.hops()[h].step});
      add_writes(t, place(f, h), result_.ends.back());
    }
    t.end_count = static_cast<std::uint32_t>(result_.ends.size() - t.first_end);
    t.write_count = static_cast<std::uint32_t>(result_.writes.size() - t.first_write);
  }

  void add_writes(const Transfer& t, std::uint64_t place, const SendEnd& end) {
    const auto number = static_cast<std::uint32_t>(result_.ends.size() - 1 - t.first_end);
    const auto join = joins_.find(place);
    if (join != joins_.end()) {
      result_.writes.push_back(join->second);
      result_.writes.back().end = number;
    }
    const auto cell = cells_.find(NeedCell::passed_on(t.chunk, end.node));
    if (cell == cells_.end()) return;
    forwarded_[cell->second].emplace_back(end.arrival, result_.writes.size());
    result_.writes.push_back({cell->second, number, 0, WriteOrder::any, 0});
  }

  // A later arrival overwrites an earlier one.
  void order_forwarded() {
    for (auto& [cell, writes] : forwarded_) {
      std::sort(writes.begin(), writes.end());
      for (std::uint32_t phase = 0; phase < writes.size(); ++phase) result_.writes[writes[phase].second].phase = phase;
    }
  }

  const Flights& flights_;
  const Fabric& fabric_;
  const Collective& collective_;
  const PartialReductions& reductions_;
  Transfers result_;
  std::unordered_set<std::uint64_t> marked_;            // hops at whose ends something comes of the packet
  std::unordered_map<std::uint64_t, CellWrite> joins_;  // of those among them that join what is held, or are kept
  std::uint32_t cell_ = 0;                              // at work
  std::unordered_map<NeedCell, std::uint32_t, HashNeedCell> cells_;  // their numbers
  bool passes_on_ = false;                                           // some processor passes on a packet
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>> forwarded_;  // arrival, write
};

}  // namespace

Transfers transfers_of(const Flights& flights, const Fabric& fabric, const Collective& collective,
                       const PartialReductions& reductions) {
  return Builder(flights, fabric, collective, reductions).run();
}

}  // namespace quadrille
