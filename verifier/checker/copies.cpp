// Idea and cost: copies.h. A step's departures are judged before its arrivals are recorded.
//
//   broadcast on the line 0-1-2: 0->1 in step 1, 1->2 in step 2 is right; with both in step 1 the second violates
//   causality, as 1 receives in step 1 what it can send from step 2 on
#include "verifier/checker/copies.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::checker {
namespace {

constexpr std::uint64_t most_dense = std::uint64_t{1} << 24;

// Whether all stays fit an array of reasonable size.
bool few(std::uint64_t chunks, std::uint32_t nodes, const Budget& budget) {
  return chunks <= most_dense / std::max(nodes, 1U) && chunks * nodes * sizeof(Stay) <= budget.left() / 2;
}

}  // namespace

Stays::Stays(std::uint64_t chunks, std::uint32_t nodes, bool sparse, Budget& budget)
    : nodes_(nodes), share_(budget), sparse_(budget) {
  if (sparse || !few(chunks, nodes, budget)) return;
  share_.add(chunks * nodes * sizeof(Stay));
  dense_.resize(static_cast<std::size_t>(chunks * nodes));
}

void leave_switch(Pass& pass, Stay& stay, ChannelId channel, NodeId at, std::uint32_t step) {
  if (stay.arrival + 1 < step && !pass.table.fabric.in_rounds()) {
    pass.queues.wait(channel, stay.arrival + 1, step);
    pass.queues.hold(at, std::max(stay.arrival + 1, stay.departure), step);
  }
  stay.departure = step;
}

Copies::Copies(Pass pass, Bits& delivered, const Bits* only)
    : pass_(pass),
      channels_(pass.table.fabric.all_channels()),
      processors_(pass.table.fabric.processors()),
      delivered_(delivered),
      only_(only),
      stays_(pass.table.collective.chunk_ids(), pass.table.fabric.nodes(), only != nullptr, pass.budget),
      seen_(pass.budget) {
  if (pass.table.fabric.switches_forward()) forwarding_.emplace(pass);
}

void Copies::step(const StepRows& batch) {
  if (forwarding_) return step_in_order(batch);
  const std::span<const Row> rows = batch.rows;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    look_at_limits(pass_.limits, index);
    if (only_ == nullptr && index + rows_ahead < rows.size()) {
      const Row& ahead = rows[index + rows_ahead];
      stays_.prefetch(ahead.chunk.value, channels_[ahead.channel.value].from.value);
    }
    if (follows(rows[index].chunk)) depart(batch, index);
  }
  for (std::size_t index = 0; index < rows.size(); ++index) {
    look_at_limits(pass_.limits, index);
    if (only_ == nullptr && index + rows_ahead < rows.size()) {
      const Row& ahead = rows[index + rows_ahead];
      stays_.prefetch(ahead.chunk.value, channels_[ahead.channel.value].to.value);
    }
    if (follows(rows[index].chunk)) arrive(batch, index);
  }
}

// Where switches forward, which copy a row takes depends on the rows before it.
void Copies::step_in_order(const StepRows& batch) {
  Share share(pass_.budget);
  share.add(batch.rows.size() * (sizeof(std::uint32_t) + sizeof(Move)));
  std::vector<std::uint32_t> order;
  std::vector<Move> moves;
  moves_of_rows(batch, pass_.table.fabric, moves);
  put_in_order(moves, pass_.limits, order);
  for (const std::uint32_t index : order) {
    if (follows(batch.rows[index].chunk)) depart(batch, index);
  }
  for (const std::uint32_t index : order) {
    if (follows(batch.rows[index].chunk)) arrive(batch, index);
  }
}

// Judges a row's departure. No arrival of this step has been recorded yet.
void Copies::depart(const StepRows& batch, std::size_t index) {
  const Row& row = batch.rows[index];
  const NodeId from = channels_[row.channel.value].from;
  if (forwarding_ && from.value >= processors_) {
    Forwarding::Copy copy;
    const auto at = static_cast<std::uint32_t>(index);
    forwarding_->take(batch, {from, {}, row.channel, row.lane, row.chunk, at, at}, copy);
    return;
  }
  Stay* stay = stays_.find(row.chunk.value, from.value);
  if (stay != nullptr && stay->arrival != 0) {
    if (from.value >= processors_) leave_switch(pass_, *stay, row.channel, from, batch.step.value);
  } else if (from.value >= processors_ || !pass_.table.collective.starts_at(row.chunk, from)) {
    add_causal(pass_, batch, index, from, [&] { return last_seen(row.chunk); });
  }
}

void Copies::arrive(const StepRows& batch, std::size_t index) {
  const Row& row = batch.rows[index];
  const NodeId to = channels_[row.channel.value].to;
  const std::uint32_t step = batch.step.value;
  if (only_ != nullptr) *seen_.insert({row.chunk.value, 0}).first = Seen{to.value, step};
  if (to.value < processors_) return reach_processor(batch, index, to);
  if (forwarding_) return forwarding_->bring(row.chunk, to, step, nullptr);
  Stay& stay = stays_.insert(row.chunk.value, to.value);
  if (stay.arrival == step) return;  // another row of the same step
  // A new arrival ends the stay before it: if nothing left in between, the earlier packet was of no use.
  if (stay.arrival != 0 && stay.departure == 0) add_lost(pass_, row.chunk, to, stay.arrival);
  stay = Stay{step, 0};
}

void Copies::reach_processor(const StepRows& batch, std::size_t index, NodeId processor) {
  const ChunkId chunk = batch.rows[index].chunk;
  const bool starts = pass_.table.collective.starts_at(chunk, processor);
  Stay& stay = stays_.insert(chunk.value, processor.value);
  // It has the packet already: allowed, but of no use.
  if (starts || stay.arrival != 0) {
    pass_.findings.add(Property::non_redundant, batch.step.value, [&] {
      std::string text = fmt::format("{} reaches processor {} in step {}, which has it {}",
                                     pass_.table.collective.label(chunk), processor.value, batch.step.value,
                                     starts ? "from the start" : fmt::format("since step {}", stay.arrival));
      return BlamedViolation{{.step = batch.step,
                              .channel = batch.rows[index].channel,
                              .node = processor,
                              .chunk = chunk,
                              .message = std::move(text)},
                             RowPlace{batch.step, index}};
    });
  }
  if (stay.arrival != 0) return;
  stay.arrival = batch.step.value;
  if (const auto demand = pass_.table.collective.demand(chunk, processor)) delivered_.set(*demand);
}

std::string Copies::last_seen(ChunkId chunk) {
  const Seen* seen = only_ == nullptr ? nullptr : seen_.find({chunk.value, 0});
  if (seen == nullptr) return {};
  return fmt::format(": it last arrived at {} in step {}", place_name(pass_.table.fabric, NodeId{seen->node}),
                     seen->step);
}

void Copies::finish() {
  std::uint64_t seen = 0;
  if (forwarding_) {
    forwarding_->each([&](std::uint64_t chunk, std::uint32_t node, std::uint32_t arrival) {
      look_at_limits(pass_.limits, seen++);
      add_lost(pass_, ChunkId{chunk}, NodeId{node}, arrival);
    });
  }
  stays_.each([&](std::uint64_t chunk, std::uint32_t node, const Stay& stay) {
    look_at_limits(pass_.limits, seen++);
    if (node >= processors_ && stay.departure == 0) add_lost(pass_, ChunkId{chunk}, NodeId{node}, stay.arrival);
  });
}

}  // namespace quadrille::checker
