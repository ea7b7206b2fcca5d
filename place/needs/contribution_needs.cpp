// ContributionNeeds: each send of a combining collective leaves after the contributions that it carries have arrived,
// and before others join them. It knows which of the sends placed the next one must wait for, and which it must
// precede.
//
// For each cell, bounds are kept by written step: the least and the greatest new step of all reads (and of all writes)
// that are written for the same step. For example, 3 -> 2 and 1 -> 2 are written to arrive in step 4, and are placed to
// arrive in the steps 6 and 9. Then a send that 2 makes in step 5, as written, leaves after 9, and one that it makes in
// step 4 leaves by 6. Cost of a bound: the number of different steps that are written for the cell.
#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "model/text/evaluation_error.h"
#include "place/needs/needs.h"
#include "place/needs/transfers.h"

namespace quadrille {
namespace {

PartialReductions checked(PartialReductions reductions) {
  if (reductions.ended != Reason::none) fail_at_limit(reductions.ended, "retiming the schedule");
  return reductions;
}

class ContributionNeeds final : public SendNeeds {
 public:
  ContributionNeeds(const Flights& flights, const Fabric& written_for, const Fabric& target,
                    const Collective& collective, const Limits& limits, ReductionsOfSends* words)
      : flights_(flights),
        collective_(collective),
        limits_(limits),
        words_(words),
        reductions_(checked(partial_reductions(flights, written_for, collective, limits, words))),
        transfers_(transfers_of(flights, written_for, collective, reductions_)),
        last_departure_(target.processors()) {
    clear();
  }

  RoutedSend send(std::uint32_t s, bool) override {
    const Transfer& transfer = transfers_.list[s];
    const Flight& flight = flights_.list[s];
    return {flight, flights_.of(flight), transfer.read_hop, transfer.source, transfers_.ends_of(transfer)};
  }

  void clear() override {
    cells_.assign(transfers_.cells, {});
    std::ranges::fill(last_departure_, 1);
  }

  std::pair<std::uint32_t, std::uint32_t> phase_and_rank(std::uint32_t s) const override {
    const auto writes = transfers_.writes_of(transfers_.list[s]);
    return writes.empty() ? std::pair(0U, 0U) : std::pair(writes.front().phase, writes.front().rank);
  }

  bool come_to_the_same(const Flights& placed, const Fabric& fabric) const override {
    const PartialReductions now = checked(partial_reductions(placed, fabric, collective_, limits_, words_));
    return (now.faults == 0 || reductions_.faults > 0) && same_held(now.held, reductions_.held);
  }

  void bound_departure(std::uint32_t s, StartBounds& bounds) const override {
    const Transfer& transfer = transfers_.list[s];
    bounds.not_before(last_departure_[transfer.source.value]);
    for (const std::uint32_t cell : transfers_.reads_of(transfer)) {
      for (const auto& [written, steps] : cells_[cell].writes) {
        if (written < transfer.departure) {
          bounds.not_before(steps.greatest + 1);
        } else {
          bounds.not_after(steps.least, steps.least_from);
        }
      }
    }
  }

  void bound_arrivals(std::uint32_t s, std::span<const std::uint32_t> offsets, StartBounds& bounds) const override {
    const Transfer& transfer = transfers_.list[s];
    for (const CellWrite& write : transfers_.writes_of(transfer)) {
      const std::int64_t offset = offsets[write.end];
      const std::uint32_t arrival = transfers_.ends_of(transfer)[write.end].arrival;
      for (const auto& [written, steps] : cells_[write.cell].reads) {
        if (written <= arrival) {
          bounds.not_before(steps.greatest - offset);
        } else {
          bounds.not_after(steps.least - 1 - offset, steps.least_from);
        }
      }
      bound_order(cells_[write.cell], write, offsets[write.end], bounds);
    }
  }

  void depart(std::uint32_t s, std::uint32_t start) override {
    const Transfer& transfer = transfers_.list[s];
    std::int64_t& last = last_departure_[transfer.source.value];
    last = std::max<std::int64_t>(last, start);
    for (const std::uint32_t cell : transfers_.reads_of(transfer))
      add(cells_[cell].reads, transfer.departure, start, s);
  }

  void arrive(std::uint32_t s, std::uint32_t start, std::span<const TimedChannel>,
              std::span<const std::uint32_t> offsets) override {
    const Transfer& transfer = transfers_.list[s];
    for (const CellWrite& write : transfers_.writes_of(transfer)) {
      const std::int64_t step = std::int64_t{start} + offsets[write.end];
      PlacedCell& cell = cells_[write.cell];
      add(cell.writes, transfers_.ends_of(transfer)[write.end].arrival, step, s);
      add(cell.phases, write.phase, step, s);
      if (write.order != WriteOrder::any) cell.ranked[write.when()] = {step, s};
    }
  }

  const PartialReductions* reductions() const override { return &reductions_; }

 private:
  // The least and the greatest new step of the events that are written for one step.
  struct Steps {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t greatest = 0;
    std::uint32_t least_from = 0;  // a transfer
  };
  using ByWritten = std::map<std::uint32_t, Steps>;
  struct PlacedCell {
    ByWritten reads, writes;                // by step, as written
    std::map<std::uint32_t, Steps> phases;  // of the writes
    // By CellWrite::when(), unless that is any: the step and the transfer.
    std::map<std::tuple<std::uint32_t, WriteOrder, std::uint32_t>, std::pair<std::int64_t, std::uint32_t>> ranked;
  };

  static void bound_order(const PlacedCell& cell, const CellWrite& write, std::uint32_t offset, StartBounds& bounds) {
    // Strictly before the next phase, and after the ones before.
    const auto later = cell.phases.upper_bound(write.phase);
    if (later != cell.phases.end()) bounds.not_after(later->second.least - 1 - offset, later->second.least_from);
    const auto same = cell.phases.lower_bound(write.phase);
    if (same != cell.phases.begin()) bounds.not_before(std::prev(same)->second.greatest + 1 - offset);
    if (write.order == WriteOrder::any) return;
    const auto like_this = [&](const auto& entry) {
      return std::get<0>(entry.first) == write.phase && std::get<1>(entry.first) == write.order;
    };
    const auto next = cell.ranked.lower_bound(write.when());
    if (next != cell.ranked.begin() && like_this(*std::prev(next)))
      bounds.not_before(std::prev(next)->second.first - offset);
    if (next != cell.ranked.end() && like_this(*next))
      bounds.not_after(next->second.first - offset, next->second.second);
  }

  static void add(ByWritten& events, std::uint32_t written, std::int64_t step, std::uint32_t transfer) {
    Steps& steps = events[written];
    steps.greatest = std::max(steps.greatest, step);
    if (step < steps.least) steps.least = step, steps.least_from = transfer;
  }

  const Flights& flights_;
  const Collective& collective_;
  const Limits& limits_;
  ReductionsOfSends* words_;
  PartialReductions reductions_;  // as written
  Transfers transfers_;
  std::vector<PlacedCell> cells_;
  std::vector<std::int64_t> last_departure_;  // by processor: of the sends placed; 1: none. None leaves before it
};

}  // namespace

std::unique_ptr<SendNeeds> contribution_needs(const Flights& flights, const Fabric& written_for, const Fabric& target,
                                              const Collective& collective, const Limits& limits,
                                              ReductionsOfSends* words) {
  return std::make_unique<ContributionNeeds>(flights, written_for, target, collective, limits, words);
}

}  // namespace quadrille
