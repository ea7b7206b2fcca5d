// Edges of the relation:
//   begin -> each chunk -> end, of an action; end -> begin, from an action to the next of its block
//   chunk j of a send -> chunk j of its reception; end of a flagging action -> begin of those that wait for it
// This relation, chunk by chunk, is exact, though messages may be cut into pieces in many ways: element e of a chunk
// is received after element e was read, and races are between accesses to the same element. The relation never relies
// on the depth of a queue. A third send that finds room would imply that the first message was received, but a larger
// buffer would make that false.
//
// An LL send of rccl ends without a barrier: one thread's end does not mean that the others have read their part. So
// its chunks happen only before the next barrier of the block: at the beginning of the next action, if that waits for
// a flag or sends, or else at its end; and before its reception. An action that overwrites exactly what was sent,
// chunk for chunk, does so thread by thread, so each thread writes after its own read.
#include "programs/happens_before.h"

#include <algorithm>

namespace quadrille::programs {
HappensBefore::HappensBefore(const Program& program, const ProgramNetwork& network, Work& work)
    : program_(program), network_(network), work_(work) {
  one_by_one_ = std::all_of(program.regimes.begin(), program.regimes.end(),
                            [](const Regime& regime) { return regime.together == 1; });
  std::uint32_t next = 0;
  for (std::uint32_t a = 0; a < network.actions.size(); ++a) {
    first_.push_back(next);
    next += 2 + network.actions[a].operation->count * (early(a) ? 2 : 1);
  }
  first_.push_back(next);
  for (std::uint32_t a = 0; a < network.actions.size(); ++a) add_action(a);
  for (const Lane& lane : network.blocks) add_block(lane);
  for (std::uint32_t a = 0; a < network.actions.size(); ++a) tie(a);
  finish();
}

bool HappensBefore::early(std::uint32_t action) const {
  const Kind kind = network_.actions[action].operation->kind;
  return program_.rules.early_reads && receives(kind) && reads_source(kind);
}

bool HappensBefore::leaky(std::uint32_t action) const {
  const ProgramOperation& operation = *network_.actions[action].operation;
  return program_.rules.leaky_sends && operation.kind == Kind::send && operation.count > 0;
}

std::uint32_t HappensBefore::read_at(std::uint32_t action, std::uint32_t chunk) const {
  return at_chunk(action, chunk) + (early(action) ? network_.actions[action].operation->count : 0);
}

void HappensBefore::add_action(std::uint32_t action) {
  const std::uint32_t count = network_.actions[action].operation->count;
  work_.spend(8);
  edge(begin(action), end(action));
  for (std::uint32_t j = 0; j < count; ++j) {
    work_.spend(8);
    edge(begin(action), at_chunk(action, j));
    if (!leaky(action)) edge(at_chunk(action, j), end(action));
    if (early(action)) {
      edge(begin(action), read_at(action, j));
      edge(read_at(action, j), at_chunk(action, j));
    }
    if (one_by_one_ && j > 0 && !leaky(action)) edge(at_chunk(action, j - 1), at_chunk(action, j));
  }
}

void HappensBefore::add_block(const Lane& lane) {
  for (std::uint32_t a = lane.first; a < lane.last; ++a) {
    if (a + 1 < lane.last) edge(end(a), begin(a + 1));
    if (leaky(a)) leave_open(a, lane.last);
  }
}

void HappensBefore::leave_open(std::uint32_t action, std::uint32_t last) {
  const ProgramOperation& sent = *network_.actions[action].operation;
  for (std::uint32_t a = action + 1; a < last; ++a) {
    const ProgramOperation& operation = *network_.actions[a].operation;
    work_.spend(4);
    const bool begins_with_barrier = !operation.waits.empty() || (sends(operation.kind) && operation.count > 0);
    if (!begins_with_barrier && operation.count == 0) continue;
    const bool same = operation.kind != Kind::reduce && operation.count == sent.count &&
                      operation.target == sent.source && operation.target_offset == sent.sources.front();
    for (std::uint32_t j = 0; j < sent.count; ++j) {
      work_.spend(2);
      edge(at_chunk(action, j), begins_with_barrier ? begin(a) : end(a));
      if (!begins_with_barrier && same) edge(at_chunk(action, j), at_chunk(a, j));
    }
    return;
  }
}

void HappensBefore::tie(std::uint32_t action) {
  const QueuedOperation& it = network_.actions[action];
  for (const std::uint32_t setter : it.awaited) {
    if (setter != none) edge(end(setter), begin(action));
  }
  if (it.receiver == none) return;
  const std::uint32_t count = std::min(it.operation->count, network_.actions[it.receiver].operation->count);
  for (std::uint32_t j = 0; j < count; ++j) {
    work_.spend(2);
    edge(at_chunk(action, j), at_chunk(it.receiver, j));
  }
}

void HappensBefore::finish() {
  std::vector<std::uint32_t> never;
  for (std::uint32_t a = 0; a < network_.actions.size(); ++a) {
    // An action that waits for a flag that nobody sets never begins.
    const auto& awaited = network_.actions[a].awaited;
    if (std::find(awaited.begin(), awaited.end(), none) != awaited.end()) never.push_back(begin(a));
  }
  order_ = OrderedEvents(events(), edges_, never, work_);
  edges_.clear();
  edges_.shrink_to_fit();
}

std::uint32_t HappensBefore::action_of(std::uint32_t event) const {
  return static_cast<std::uint32_t>(std::upper_bound(first_.begin(), first_.end(), event) - first_.begin() - 1);
}

std::vector<std::uint32_t> HappensBefore::before(std::uint32_t event) const {
  std::vector<bool> needed(events(), false);
  needed[event] = true;
  for (auto it = order().rbegin(); it != order().rend(); ++it) {
    const auto after = order_.next(*it);
    work_.spend(1 + after.size());
    if (std::any_of(after.begin(), after.end(), [&](std::uint32_t e) { return needed[e]; })) needed[*it] = true;
  }
  std::vector<bool> begun(network_.actions.size(), false);
  for (std::uint32_t a = 0; a < begun.size(); ++a) begun[a] = needed[begin(a)];
  std::vector<std::uint32_t> result;
  for (const std::uint32_t e : order()) {
    const std::uint32_t action = action_of(e);
    if (begun[action] && e == end(action)) result.push_back(action);
  }
  return result;
}

}  // namespace quadrille::programs
