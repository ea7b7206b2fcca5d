// Idea: as in copies.cpp, a round's departures are judged before its arrivals are recorded; a message's chunk departs
// once, whatever the number of its receivers.
//
//   all-gather on complete:4: in round 2 processor 0 sends to 2 what it began with and what 1 brought in round 1: a
//   message of length 2, of which the second chunk is causal because of that arrival
//
// Cost: two look-ups a move.
#include "verifier/checker/round_copies.h"

#include <fmt/format.h>

namespace quadrille::checker {

RoundCopies::RoundCopies(Pass pass, const Messages& messages, Bits& delivered)
    : pass_(pass),
      messages_(messages),
      delivered_(delivered),
      stays_(pass.table.collective.chunk_ids(), pass.table.fabric.nodes(), false, pass.budget) {
  if (pass.table.fabric.switches_forward()) forwarding_.emplace(pass);
}

void RoundCopies::step(const StepRows& batch) {
  judge_departures(batch);
  std::uint64_t moved = 0;
  for (const Move& move : messages_.moves()) {
    look_at_limits(pass_.limits, moved++);
    arrive(batch, move);
  }
}

// Of the moves of one message and chunk, to several receivers, the first is looked at.
void RoundCopies::judge_departures(const StepRows& batch) {
  std::size_t next = 0;
  for (const CheckedMessage& message : messages_.all()) {
    for (std::uint32_t chunk = 0; chunk < message.chunks; ++chunk) {
      look_at_limits(pass_.limits, next);
      depart(batch, messages_.moves()[next]);
      next += message.ends;
    }
  }
}

void RoundCopies::depart(const StepRows& batch, const Move& move) {
  if (forwarding_ && !pass_.table.fabric.is_processor(move.from)) {
    Forwarding::Copy copy;  // which one it is does not matter: none waits
    forwarding_->take(batch, move, copy);
    return;
  }
  Stay* stay = stays_.find(move.chunk.value, move.from.value);
  if (stay != nullptr && stay->arrival != 0) {
    stay->departure = batch.step.value;
  } else if (!pass_.table.fabric.is_processor(move.from) || !pass_.table.collective.starts_at(move.chunk, move.from)) {
    add_causal(pass_, batch, move.row, move.from, [] { return std::string(); });
  }
}

void RoundCopies::arrive(const StepRows& batch, const Move& move) {
  if (pass_.table.fabric.is_processor(move.to)) return reach_processor(batch, move);
  if (forwarding_) return forwarding_->bring(move.chunk, move.to, batch.step.value, nullptr);
  Stay& stay = stays_.insert(move.chunk.value, move.to.value);
  if (stay.arrival == batch.step.value) return;  // another message of the same round
  if (stay.arrival != 0 && stay.departure == 0) add_lost(pass_, move.chunk, move.to, stay.arrival);
  stay = Stay{batch.step.value, 0};
}

void RoundCopies::reach_processor(const StepRows& batch, const Move& move) {
  const bool starts = pass_.table.collective.starts_at(move.chunk, move.to);
  Stay& stay = stays_.insert(move.chunk.value, move.to.value);
  if (starts || stay.arrival != 0) {
    pass_.findings.add(Property::non_redundant, batch.step.value, [&] {
      std::string text = fmt::format("{} reaches processor {} in round {}, which has it {}",
                                     pass_.table.collective.label(move.chunk), move.to.value, batch.step.value,
                                     starts ? "from the start" : fmt::format("since round {}", stay.arrival));
      return BlamedViolation{{.step = batch.step,
                              .channel = move.channel,
                              .node = move.to,
                              .chunk = move.chunk,
                              .message = std::move(text)},
                             RowPlace{batch.step, move.row}};
    });
  }
  if (stay.arrival != 0) return;
  stay.arrival = batch.step.value;
  if (const auto demand = pass_.table.collective.demand(move.chunk, move.to)) delivered_.set(*demand);
}

void RoundCopies::finish() {
  const std::uint32_t processors = pass_.table.fabric.processors();
  std::uint64_t seen = 0;
  if (forwarding_) {
    forwarding_->each([&](std::uint64_t chunk, std::uint32_t node, std::uint32_t arrival) {
      look_at_limits(pass_.limits, seen++);
      add_lost(pass_, ChunkId{chunk}, NodeId{node}, arrival);
    });
  }
  stays_.each([&](std::uint64_t chunk, std::uint32_t node, const Stay& stay) {
    look_at_limits(pass_.limits, seen++);
    if (node >= processors && stay.departure == 0) add_lost(pass_, ChunkId{chunk}, NodeId{node}, stay.arrival);
  });
}

}  // namespace quadrille::checker
