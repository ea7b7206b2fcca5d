// Reads the rows once, up to the last that is listed. The cost includes that of the rows before the first one.
#include "driver/look/listed_rows.h"

#include <algorithm>
#include <utility>

#include "driver/look/located_rows.h"

namespace quadrille::driver {
namespace {

void add(const StepRows& batch, std::size_t i, RowOrigin origin, ListedRows& listed) {
  ListedRow& it = listed.rows.emplace_back();
  it.step = batch.step;
  it.row = batch.rows[i];
  if (!batch.messages.empty()) it.message = batch.messages[i];
  if (!batch.uses.empty()) it.words = batch.uses[i];
  it.origin = std::move(origin);
}

// Adds the rows of a step; false if no more rows are to be listed.
bool add_step(LocatedRows& rows, const StepRows& batch, std::uint64_t most, const Limits& limits, ListedRows& listed) {
  const auto room = static_cast<std::size_t>(most - listed.rows.size());
  const std::size_t end = std::min(room, batch.rows.size());
  for (std::size_t first = 0; first < end; first += LocatedRows::at_once) {
    const std::size_t count = std::min(LocatedRows::at_once, end - first);
    std::vector<RowOrigin> origins = rows.origins(first, count);
    for (std::size_t i = 0; i < count; ++i) add(batch, first + i, std::move(origins[i]), listed);
    if (limits.reached() != Reason::none) {
      listed.cut = true;
      return false;
    }
  }
  listed.cut = end < batch.rows.size();
  return !listed.cut;
}

bool in_one(std::uint32_t step, const std::vector<StepRange>& ranges) {
  return std::ranges::any_of(ranges, [&](const StepRange& it) { return it.first <= step && step <= it.last; });
}

}  // namespace

ListedRows list_rows(const SendTable& table, const StepRange& steps, const Limits& limits, std::uint64_t most) {
  return list_rows_in({steps}, table, limits, most);
}

ListedRows list_rows_in(const std::vector<StepRange>& ranges, const SendTable& table, const Limits& limits,
                        std::uint64_t most) {
  ListedRows listed;
  if (ranges.empty()) return listed;
  const std::uint32_t last = std::ranges::max(ranges, {}, &StepRange::last).last;
  LocatedRows rows(*table.rows);
  Pulse pulse(limits, 64);
  while (const auto batch = rows.next()) {
    if (batch->step.value > last) return listed;
    if (pulse.reached()) {
      listed.cut = true;
      return listed;
    }
    if (in_one(batch->step.value, ranges) && !add_step(rows, *batch, most, limits, listed)) return listed;
  }
  listed.cut = rows.ended_early() != Reason::none;
  return listed;
}

}  // namespace quadrille::driver
