// Blocks run side by side, each in order. Operation x is known to have ended before y if y's block has it earlier, or
// if y waits for an operation that x is known to have ended before; so each operation has a vector clock, and a wait
// that the clock already covers is left out. For example, on a ring a reception r1 waits for nothing, the send s1 of
// what it brought for r1, and s2 for r2 alone: that r1 has ended is known by s1.
//
// Cost: the operations times the blocks of a rank.
#include "export/msccl_waits.h"

#include <algorithm>
#include <utility>

namespace quadrille::exporting {

std::vector<BlockLine> Waits::next(BlockLine at, const BufferSlot* source, const BufferSlot* target,
                                   std::uint64_t count) {
  Known known = at.line == 0 ? Known(known_.size(), 0) : known_[at.block][at.line - 1];
  std::map<std::size_t, std::size_t> needed;  // by block: so many of its lines
  const auto visit = [&](const BufferSlot* first, const auto& act) {
    for (std::uint64_t i = 0; first != nullptr && i < count; ++i) act(uses_[{first->buffer, first->slot + i}]);
  };
  visit(source, [&](const Use& use) {
    for (const BlockLine& line : use.writes) need(line, needed);
  });
  visit(target, [&](const Use& use) {
    for (const BlockLine& line : use.writes) need(line, needed);
    for (const BlockLine& line : use.reads) need(line, needed);
  });
  visit(source, [&](Use& use) { use.reads.push_back(at); });
  visit(target, [&](Use& use) { use = {{at}, {}}; });
  // The wait whose operation knows most comes first: it may make others needless.
  std::vector<std::pair<std::size_t, BlockLine>> order;
  for (const auto& [block, lines] : needed) {
    const Known& there = known_[block][lines - 1];
    std::size_t sum = 0;
    for (const std::size_t ended : there) sum += ended;
    order.emplace_back(sum, BlockLine{block, lines - 1});
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<BlockLine> waits;
  for (const auto& [sum, line] : order) {
    if (known[line.block] > line.line) continue;
    waits.push_back(line);
    const Known& there = known_[line.block][line.line];
    for (std::size_t i = 0; i < known.size(); ++i) known[i] = std::max(known[i], there[i]);
  }
  known[at.block] = at.line + 1;
  known_[at.block].push_back(std::move(known));
  return waits;
}

void Waits::need(BlockLine line, std::map<std::size_t, std::size_t>& needed) const {
  std::size_t& lines = needed[line.block];
  lines = std::max(lines, line.line + 1);
}

}  // namespace quadrille::exporting
