// A row reads a cell where it leaves, and writes a cell where it ends (cells.h). It carries what it carried if the same
// writes to its cell precede it, and no others, and if the cell holds the same after these.
//
//   a switch, with rows into it in the steps 1, 1 and 4 and out of it in the steps 3 and 6: those of step 1 precede the
//   row of step 3; that of step 4 neither precedes it nor follows the row of step 6
//
// Contributions that unite may come in any order. A write that replaces something, or that adds to an ordered
// operation, stays behind the writes of earlier steps, together with all writes of its own step. The rows that leave a
// switch in one step stay together, for what they take is gone from the switch. Where queues have a limit, the rows
// into the switch stay with them: then nothing waits that did not wait before. So a row waits only for earlier rows,
// and the written steps satisfy all waits.
//
// Cost: rows · log(rows).
#include "place/needs/joined_order.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "place/needs/cells.h"

namespace quadrille {
namespace {

class Orderer {
 public:
  Orderer(const JoinedRows& rows, const Flights& flights, const Fabric& fabric, const Collective& collective)
      : rows_(rows), flights_(flights), fabric_(fabric), collective_(collective) {}

  EventOrder run() {
    for (const JoinedRow& row : rows_.rows) order_.add_event(row.step);
    for (std::uint32_t r = 0; r < rows_.rows.size(); ++r) list(r);
    for (const auto& [key, cell] : cells_) {
      keep_reads_and_writes(cell, key.kind == in_switch);
      if (key.kind == in_switch) keep_departures(cell);
      if (key.kind == passed_on || (key.kind == held && !collective_.idempotent())) keep_writes(key.kind, cell);
    }
    keep_sends();
    return std::move(order_);
  }

 private:
  using enum NeedCell::Kind;
  struct Accesses {
    std::vector<std::uint32_t> reads, writes;  // rows, by step
  };
  using Rows = std::vector<std::uint32_t>;

  std::uint32_t step(std::uint32_t row) const { return rows_.rows[row].step; }

  void list(std::uint32_t r) {
    const ChunkId chunk = flights_.list[rows_.rows[r].flight].chunk;
    const ChunkName name = collective_.name(chunk);
    const Channel& channel = fabric_.channel(rows_.rows[r].channel);
    const auto at = [&](NodeId node, bool joined) {
      if (!fabric_.is_processor(node)) return NeedCell{in_switch, node, name.target.value_or(0), name.part};
      return joined ? NeedCell::held(name.part, node) : NeedCell::passed_on(chunk, node);
    };
    cells_[at(channel.from, name.origin == channel.from.value)].reads.push_back(r);
    const bool arrives = name.target == channel.to.value;
    if (arrives || !fabric_.is_processor(channel.to)) cells_[at(channel.to, arrives)].writes.push_back(r);
    if (name.origin != channel.to.value && fabric_.is_processor(channel.to))
      cells_[at(channel.to, false)].writes.push_back(r);
  }

  // The rows, divided by step.
  std::vector<Rows> by_step(const Rows& rows) const {
    std::vector<Rows> groups;
    for (const std::uint32_t row : rows) {
      if (groups.empty() || step(groups.back().front()) != step(row)) groups.emplace_back();
      groups.back().push_back(row);
    }
    return groups;
  }

  // Adds an event that follows all of the rows, and `before`.
  std::uint32_t gather(const Rows& rows, std::size_t begin, std::size_t end, std::optional<std::uint32_t> before) {
    std::uint32_t latest = before ? order_.step(*before) : 0;
    for (std::size_t i = begin; i < end; ++i) latest = std::max(latest, step(rows[i]));
    const std::uint32_t event = order_.add_event(latest);
    for (std::size_t i = begin; i < end; ++i) order_.add(rows[i], event, 0);
    if (before) order_.add(*before, event, 0);
    return event;
  }

  // A row carries what has been written in steps before its own.
  void keep_reads_and_writes(const Accesses& cell, bool of_switch) {
    std::optional<std::uint32_t> written, read;
    std::size_t next = 0;
    const auto write_until = [&](std::uint32_t until) {
      std::size_t end = next;
      while (end < cell.writes.size() && step(cell.writes[end]) < until) ++end;
      for (std::size_t i = next; read && i < end; ++i) order_.add(*read, cell.writes[i], 0);
      if (end > next) written = gather(cell.writes, next, end, written);
      next = end;
    };
    for (const Rows& reads : by_step(cell.reads)) {
      const std::size_t begin = next;
      write_until(step(reads.front()));
      for (const std::uint32_t row : reads) {
        if (written) order_.add(*written, row, 1);
      }
      if (of_switch && fabric_.rules().queue.limit) {
        for (std::size_t i = begin; i < next; ++i) order_.tie(cell.writes[i], reads.front());
      }
      read = gather(reads, 0, reads.size(), read);
    }
    write_until(std::numeric_limits<std::uint32_t>::max());
  }

  void tie_all(const Rows& rows) {
    for (const std::uint32_t row : rows) order_.tie(rows.front(), row);
  }

  void keep_departures(const Accesses& cell) {
    for (const Rows& reads : by_step(cell.reads)) tie_all(reads);
  }

  void keep_writes(NeedCell::Kind kind, const Accesses& cell) {
    std::optional<std::uint32_t> before;
    Rows phase;
    const auto close = [&] {
      if (!phase.empty()) before = gather(phase, 0, phase.size(), before);
      phase.clear();
    };
    bool together = false;
    for (const Rows& writes : by_step(cell.writes)) {
      const bool alone = kind == passed_on || collective_.ordered() ||
                         std::ranges::any_of(writes, [&](auto w) { return rows_.rows[w].arrival == Arrival::stored; });
      if (alone || together) close();
      together = alone;
      if (alone) tie_all(writes);
      for (const std::uint32_t row : writes) {
        if (before) order_.add(*before, row, 1);
        phase.push_back(row);
      }
    }
  }

  // No send leaves its processor before an earlier one.
  void keep_sends() {
    std::map<NodeId, std::uint32_t> latest;
    for (const Flight& flight : flights_.list) {
      if (flight.hops == 0 || !fabric_.is_processor(flight.source)) continue;
      const std::uint32_t row = rows_.of_hops[flight.first_hop];
      const auto [place, first] = latest.try_emplace(flight.source, row);
      if (!first && step(place->second) <= step(row)) order_.add(place->second, row, 0);
      place->second = row;
    }
  }

  const JoinedRows& rows_;
  const Flights& flights_;
  const Fabric& fabric_;
  const Collective& collective_;
  std::map<NeedCell, Accesses> cells_;
  EventOrder order_;
};

}  // namespace

EventOrder order_of(const JoinedRows& rows, const Flights& flights, const Fabric& fabric,
                    const Collective& collective) {
  return Orderer(rows, flights, fabric, collective).run();
}

}  // namespace quadrille
