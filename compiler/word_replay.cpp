// Sends say which contributions they want sent, and whether what arrives is kept; tables name words, by their numbers.
// So reductions are replayed as the rows are made.
//
// For example, in an exclusive prefix among three, after `send 0 -> 1 keeping` in step 1, processor 1 has the words {1}
// and {0}: `send 1 -> 2 carrying sum {0..1} keeping` becomes a row that sends words 1 and 0, to be kept. Cost: rows ·
// log(rows), and the intervals of the sets; memory, all words, and what is on its way.
#include "compiler/word_replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/instance.h"

namespace quadrille {

WordReplay::WordReplay(const Plan& plan)
    : plan_(plan), collective_(plan.collectives.front()), words_of_(plan), held_(collective_) {}

std::span<const WordUse> WordReplay::step(const StepRows& rows, std::span<const SendSerial> sends) {
  step_ = rows.step.value;
  uses_.assign(rows.rows.size(), {});
  list_moves(rows, sends);
  // All departures before all arrivals, each in the order of channels and lanes: the last one counts where one of them
  // must, and switches that forward serve in this order.
  std::stable_sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) {
    return std::tie(a.last.channel, a.last.lane) < std::tie(b.last.channel, b.last.lane);
  });
  for (Move& move : moves_) move.carried = picked_up(move);
  for (const Move& move : moves_) {
    if (is_switch(move.from)) joined_.erase({move.from, *move.name.target, move.name.part});
  }
  for (const Move& move : moves_) put_down(move);
  mark_kept();
  join_all();
  settle_alike(rows, sends);
  return uses_;
}

// Of a message all rows stand together: those of its first channel, then those of the second, … each in the order of
// its packets.
void WordReplay::list_moves(const StepRows& rows, std::span<const SendSerial> sends) {
  moves_.clear();
  if (rows.messages.empty()) {
    for (std::size_t i = 0; i < rows.rows.size(); ++i) add_move(rows, i, i, sends[i]);
    return;
  }
  for (std::size_t begin = 0; begin < rows.rows.size();) {
    std::size_t packets = 0;
    std::size_t end = begin;
    for (; end < rows.rows.size() && rows.messages[end] == rows.messages[begin]; ++end) {
      packets += rows.rows[end].channel == rows.rows[begin].channel ? 1 : 0;
    }
    for (std::size_t i = 0; i < packets; ++i) add_move(rows, begin + i, end - packets + i, sends[begin]);
    begin = end;
  }
}

void WordReplay::add_move(const StepRows& rows, std::size_t departs, std::size_t arrives, SendSerial send) {
  const Row& last = rows.rows[arrives];
  const NodeId from = plan_.fabric().channel(rows.rows[departs].channel).from;
  const NodeId to = plan_.fabric().channel(last.channel).to;
  moves_.push_back({from, to, collective_.name(last.chunk), last, departs, arrives, send, nullptr});
}

// --- departures ----------------------------------------------------------------------------------------------------

WordReplay::Set WordReplay::picked_up(const Move& move) {
  if (move.name.origin == move.from.value) return from_words(move);
  if (is_switch(move.from) && plan_.fabric().rules().switches != Switching::copy) return from_switch(move);
  const auto found = brought_.find({move.last.chunk.value, move.from});
  return found == brought_.end() ? nullptr : found->second;
}

WordReplay::Set WordReplay::from_words(const Move& move) {
  const HeldWords::Key key{move.name.part, move.name.origin};
  const SendWords& words = words_of_.of(move.send);
  if (!words.sum) return held_.of(key).front();
  auto chosen = held_.making_up(key, *words.sum);
  if (chosen) {
    uses_[move.departs].sent = std::move(*chosen);
    return held_.chained(key, uses_[move.departs].sent);
  }
  std::string all;
  for (const Set& word : held_.of(key)) all += fmt::format("{}{}", all.empty() ? "" : ", ", text_of(*word));
  fail(words.span,
       fmt::format("processor {} has no words that make up {} of value {} when {} {} begins; it has {}",
                   move.name.origin, text_of(*words.sum), move.name.part, plan_.instance.in_rounds ? "round" : "step",
                   step_, all),
       Code::value);
}

WordReplay::Set WordReplay::from_switch(const Move& move) {
  if (plan_.fabric().rules().switches == Switching::reduce) {
    const auto found = joined_.find({move.from, *move.name.target, move.name.part});
    return found == joined_.end() ? nullptr : found->second;
  }
  std::deque<Set>& copies = copies_[{move.last.chunk.value, move.from}];
  if (copies.empty()) return nullptr;
  Set first = copies.front();
  copies.pop_front();
  return first;
}

// --- arrivals ------------------------------------------------------------------------------------------------------

void WordReplay::put_down(const Move& move) {
  const PacketAt place{move.last.chunk.value, move.to};
  if (is_switch(move.to) && plan_.fabric().rules().switches == Switching::forward) {
    copies_[place].push_back(move.carried);
  } else if (move.to.value != move.name.origin) {
    brought_[place] = move.carried;
  }
}

void WordReplay::join_in_switch(const Move& move) {
  Set& set = joined_[{move.to, *move.name.target, move.name.part}];
  if (!set) {
    set = move.carried;
  } else if (collective_.idempotent() || disjoint(*set, *move.carried)) {
    set = std::make_shared<const ContributionSet>(united(*set, *move.carried));
  }
}

void WordReplay::mark_kept() {
  for (const Move& move : moves_) {
    const bool arrives = move.name.target == move.to.value;
    if (arrives && words_of_.of(move.send).keeping) uses_[move.arrives].arrival = Arrival::kept;
  }
}

// In the order of the smallest contribution, channel, lane, packet, and then message.
void WordReplay::join_all() {
  std::erase_if(moves_, [](const Move& move) { return move.carried == nullptr; });
  std::stable_sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) {
    return std::tuple(a.carried->front().first, a.last.channel, a.last.lane, a.last.chunk) <
           std::tuple(b.carried->front().first, b.last.channel, b.last.lane, b.last.chunk);
  });
  for (const Move& move : moves_) {
    if (is_switch(move.to)) {
      if (plan_.fabric().rules().switches == Switching::reduce) join_in_switch(move);
    } else if (move.name.target == move.to.value) {
      Arrival& arrival = uses_[move.arrives].arrival;
      arrival = held_.arrive({move.name.part, move.to.value}, move.carried, arrival == Arrival::kept);
    }
  }
}

// Readers take rows alike in channel, lane, packet and message only if they say the same. Whether one is combined or
// replaces what is held follows from what it brings, and may be left out.
void WordReplay::settle_alike(const StepRows& rows, std::span<const SendSerial> sends) {
  using Alike = std::tuple<ChannelId, LaneId, ChunkId, MessageId>;
  std::map<Alike, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const Row& row = rows.rows[i];
    groups[{row.channel, row.lane, row.chunk, rows.messages.empty() ? MessageId(0) : rows.messages[i]}].push_back(i);
  }
  const auto kept = [&](std::size_t i) { return uses_[i].arrival == Arrival::kept; };
  for (const auto& [alike, group] : groups) {
    bool same = true;
    for (const std::size_t i : group) {
      if (uses_[i].sent != uses_[group.front()].sent || kept(i) != kept(group.front())) refuse(rows.rows[i], sends[i]);
      same = same && uses_[i] == uses_[group.front()];
    }
    if (same) continue;
    for (const std::size_t i : group) uses_[i].arrival = Arrival::joined;
  }
}

void WordReplay::refuse(const Row& row, SendSerial send) {
  fail(words_of_.of(send).span,
       fmt::format("two sends of {} across {} in {} {} share a lane, and say different things of words",
                   collective_.label(row.chunk), plan_.fabric().name(row.channel),
                   plan_.instance.in_rounds ? "round" : "step", step_),
       Code::invalid);
}

}  // namespace quadrille
