// For each cell, bounds are kept by written step: the least and the greatest new step of all reads (and of all writes)
// that are written for the same step. For example, 3 -> 2 and 1 -> 2 are written to arrive in step 4, and are placed to
// arrive in the steps 6 and 9. Then a send that 2 makes in step 5, as written, leaves after 9, and one that it makes in
// step 4 leaves by 6. Cost of a bound: the number of different steps that are written for the cell.
#include "place/steps/placement.h"

#include <algorithm>

namespace quadrille {

void Placement::bound_departure(std::uint32_t t, StartBounds& bounds) const {
  const Transfer& transfer = transfers_.list[t];
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

void Placement::bound_arrivals(std::uint32_t t, std::span<const std::uint32_t> ends, StartBounds& bounds) const {
  const Transfer& transfer = transfers_.list[t];
  for (const CellWrite& write : transfers_.writes_of(transfer)) {
    const std::int64_t offset = ends[write.end];
    const std::uint32_t arrival = transfers_.ends_of(transfer)[write.end].arrival;
    for (const auto& [written, steps] : cells_[write.cell].reads) {
      if (written <= arrival) {
        bounds.not_before(steps.greatest - offset);
      } else {
        bounds.not_after(steps.least - 1 - offset, steps.least_from);
      }
    }
    bound_order(cells_[write.cell], write, ends[write.end], bounds);
  }
}

void Placement::bound_order(const Cell& cell, const CellWrite& write, std::uint32_t offset, StartBounds& bounds) {
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
    bounds.not_before(std::prev(next)->second.step - offset);
  if (next != cell.ranked.end() && like_this(*next))
    bounds.not_after(next->second.step - offset, next->second.transfer);
}

void Placement::add(ByWritten& events, std::uint32_t written, std::int64_t step, std::uint32_t transfer) {
  Steps& steps = events[written];
  steps.greatest = std::max(steps.greatest, step);
  if (step < steps.least) steps.least = step, steps.least_from = transfer;
}

void Placement::depart(std::uint32_t t, std::int64_t start) {
  const Transfer& transfer = transfers_.list[t];
  std::int64_t& last = last_departure_[transfer.source.value];
  last = std::max(last, start);
  for (const std::uint32_t cell : transfers_.reads_of(transfer)) add(cells_[cell].reads, transfer.departure, start, t);
}

void Placement::arrive(std::uint32_t t, std::int64_t start, std::span<const std::uint32_t> ends) {
  const Transfer& transfer = transfers_.list[t];
  for (const CellWrite& write : transfers_.writes_of(transfer)) {
    const std::int64_t step = start + ends[write.end];
    Cell& cell = cells_[write.cell];
    add(cell.writes, transfers_.ends_of(transfer)[write.end].arrival, step, t);
    add(cell.phases, write.phase, step, t);
    if (write.order != WriteOrder::any) cell.ranked[write.when()] = {step, t};
  }
}

}  // namespace quadrille
