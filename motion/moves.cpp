// For example, the rows 0->s, s->1 and s->2 of chunk c, all of message 7, are two moves of c, from 0 to 1 and from 0
// to 2. Cost: rows · log(rows); of a tree, its channels for each receiver.
#include "motion/moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace quadrille {
namespace {

// The hop out of the sender, on the path that ends with the hop `last`.
std::uint32_t first_hop(const Message& message, std::uint32_t last, const Fabric& fabric) {
  std::uint32_t first = last;
  for (const std::uint32_t hop : message.inwards) {
    if (fabric.channel(message.hops[hop].channel).to == fabric.channel(message.hops[first].channel).from) first = hop;
  }
  return first;
}

}  // namespace

std::optional<StepFault> StepMoves::read(const StepRows& step, std::vector<ChunkMove>& moves) {
  moves.clear();
  std::optional<MessageId> wrong;
  const auto refuse = [&](MessageId number) { wrong = std::min(wrong.value_or(number), number); };
  for (const Message& message : messages_.read(step)) {
    if (message.joins() && joins_) {
      append_joining(step, message, moves);
      continue;
    }
    if (message.joins()) refuse(number_of(step, message.rows.front()));
    for (const Message::End& to : message.to) append(step, message, to.hop, moves);
  }
  for (const std::uint32_t row : messages_.ill_formed()) refuse(number_of(step, row));
  if (wrong) {
    return StepFault{step.step, StepFault::FaultPlace::message, 0,
                     fmt::format("message {} of round {} is not well formed", wrong->value, step.step.value)};
  }
  const auto in_order = [](const ChunkMove& a, const ChunkMove& b) {
    return std::tie(a.channel, a.lane, a.chunk, a.message) < std::tie(b.channel, b.lane, b.chunk, b.message);
  };
  if (!std::is_sorted(moves.begin(), moves.end(), in_order)) std::sort(moves.begin(), moves.end(), in_order);
  for (std::uint32_t number = 0; number < moves.size(); ++number) moves[number].number = number;
  return std::nullopt;
}

MessageId StepMoves::number_of(const StepRows& step, std::uint32_t row) const {
  if (!fabric_.in_rounds()) return {};
  return step.messages.empty() ? MessageId(row) : step.messages[row];
}

// The move whose first and last rows these are.
ChunkMove StepMoves::move_of(const StepRows& step, std::uint32_t leaves, std::uint32_t arrives) const {
  const Row& first = step.rows[leaves];
  const Row& last = step.rows[arrives];
  const Channel& out = fabric_.channel(first.channel);
  ChunkMove move{
      out.from,   fabric_.channel(last.channel).to, out.from,  first.channel, last.channel, first.lane, last.lane,
      last.chunk, number_of(step, arrives),         step.step, step.step};
  move.first_row = leaves;
  move.last_row = arrives;
  if (step.uses.empty()) return move;
  move.leaving = &step.uses[leaves];
  move.arriving = &step.uses[arrives];
  return move;
}

void StepMoves::append(const StepRows& step, const Message& message, std::uint32_t last,
                       std::vector<ChunkMove>& moves) const {
  const std::uint32_t first = first_hop(message, last, fabric_);
  for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
    moves.push_back(move_of(step, message.row(packet, first), message.row(packet, last)));
  }
}

// Each move out of a sender leads to the receiver; the move into that begins at the node next before.
void StepMoves::append_joining(const StepRows& step, const Message& message, std::vector<ChunkMove>& moves) const {
  const std::uint32_t last = message.to.front().hop;
  const NodeId to = message.to.front().node;
  for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
    for (const Message::End& from : message.from) {
      const std::uint32_t row = message.row(packet, from.hop);
      ChunkMove& move = moves.emplace_back(move_of(step, row, row));
      move.to = to;
      move.leaves_to_join = true;
    }
    const std::uint32_t row = message.row(packet, last);
    ChunkMove& move = moves.emplace_back(move_of(step, row, row));
    move.joining = &message;
    move.packet = packet;
  }
}

}  // namespace quadrille
