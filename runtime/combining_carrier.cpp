#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "runtime/carriers.h"

namespace quadrille::replaying {

// First every row takes its word along, then all arrive, then those at their targets are joined.
bool CombiningCarrier::step(const StepRows& step) {
  rows_.clear();
  for (const Row& row : step.rows) rows_.push_back(&row);
  std::sort(rows_.begin(), rows_.end(), [](const Row* a, const Row* b) {
    return std::tie(a->channel, a->lane, a->chunk) < std::tie(b->channel, b->lane, b->chunk);
  });
  words_.clear();
  for (const Row* row : rows_) words_.push_back(depart(step.step, *row));
  joinings_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) arrive(step.step, *rows_[i], words_[i]);
  std::sort(joinings_.begin(), joinings_.end(), [](const Joining& a, const Joining& b) {
    return std::tie(a.processor, a.value, a.smallest, a.row->channel, a.row->lane, a.row->chunk) <
           std::tie(b.processor, b.value, b.smallest, b.row->channel, b.row->lane, b.row->chunk);
  });
  for (auto first = joinings_.begin(); first != joinings_.end();) {
    const auto last = std::find_if(first, joinings_.end(), [&](const Joining& joining) {
      return joining.processor != first->processor || joining.value != first->value;
    });
    join(step.step, {first, last});
    first = last;
  }
  return true;
}

// The word that the row takes along; empty if there is none.
Word CombiningCarrier::depart(StepId step, const Row& row) {
  const NodeId from = workshop_.fabric.channel(row.channel).from;
  if (from.value == workshop_.collective.name(row.chunk).origin) {
    return held(workshop_.collective.value_of(row.chunk), from);
  }
  WordStay* stay = stays_.find({row.chunk.value, from.value});
  if (!stay) {
    add_missing_packet(workshop_, step, row);
    return {};
  }
  if (!workshop_.fabric.is_processor(from)) workshop_.queues.leave(stay->stay, row.channel, step);
  return stay->word;
}

void CombiningCarrier::arrive(StepId step, const Row& row, const Word& word) {
  const NodeId to = workshop_.fabric.channel(row.channel).to;
  *stays_.insert({row.chunk.value, to.value}).first = {{step.value, 0}, word};
  const auto target = workshop_.collective.name(row.chunk).target;
  if (word.empty() || !target || to.value != *target) return;
  joinings_.push_back({to, workshop_.collective.value_of(row.chunk), word.smallest(), &row, &word});
}

// All words of one value that reach one processor in this step.
void CombiningCarrier::join(StepId step, std::span<const Joining> joinings) {
  const Joining& first = joinings.front();
  Word now = held(first.value, first.processor);
  for (const Joining& joining : joinings) join_one(step, joining, now);
  *held_.insert(place(first.value, first.processor)).first = now;
  words_made_ += now.runs();
  if (!workshop_.collective.ordered() || now.runs() == 1) return;
  workshop_.faults.add(step, first.row->channel, first.row->chunk, [&] {
    return fmt::format("the word at processor {} has a gap after step {}", workshop_.fabric.name(first.processor),
                       step.value);
  });
}

void CombiningCarrier::join_one(StepId step, const Joining& joining, Word& held) {
  if (held.disjoint(*joining.word)) {
    held = held.united(*joining.word);
  } else if (joining.word->contains(held)) {
    held = *joining.word;
  } else {
    workshop_.faults.add(step, joining.row->channel, joining.row->chunk, [&] {
      return fmt::format("a contribution is counted twice: packet {} at processor {}",
                         workshop_.collective.label(joining.row->chunk), workshop_.fabric.name(joining.processor));
    });
  }
}

Word CombiningCarrier::held(std::uint32_t value, NodeId processor) {
  const Word* word = held_.find(place(value, processor));
  return word ? *word : Word(processor.value, processor.value);
}

// Once the list of faults is full, only what rows have touched is looked at.
void CombiningCarrier::finish(StepId end) {
  const Collective& collective = workshop_.collective;
  for (std::uint32_t value = 0; value < collective.values(); ++value) {
    for (std::uint32_t p = 0; p < workshop_.fabric.processors(); ++p) judge_end(end, value, NodeId(p));
    if (workshop_.faults.lists_more() || workshop_.fabric.processors() == 1) continue;
    const std::uint64_t met = met_after(value);
    workshop_.faults.add_unlisted(collective.demands() - demanded_ - met);
    delivered_ += met;
    demanded_ = collective.demands();
    return;
  }
}

// How many demands are met in the values after `last`: those of touched words, and those that their processors meet
// from the start, which are the same in every value.
std::uint64_t CombiningCarrier::met_after(std::uint32_t last) {
  const Collective& collective = workshop_.collective;
  const auto own = [&](std::uint32_t value, std::uint32_t p) {
    const auto wanted = collective.wanted_word(value, NodeId(p));
    return wanted && wanted->first == p && wanted->second == p;
  };
  std::uint64_t met = 0;
  for (std::uint32_t p = 0; p < collective.processors(); ++p) met += own(last, p) ? collective.values() - 1 - last : 0;
  held_.each([&](const PlaceKey& place, const Word& word) {
    const auto value = static_cast<std::uint32_t>(place.packet);
    if (value <= last) return;
    const auto wanted = collective.wanted_word(value, NodeId(place.node));
    if (wanted && word == Word(wanted->first, wanted->second)) ++met;
    if (own(value, place.node)) --met;  // counted already
  });
  return met;
}

void CombiningCarrier::judge_end(StepId end, std::uint32_t value, NodeId processor) {
  const auto wanted = workshop_.collective.wanted_word(value, processor);
  if (!wanted) return;
  ++demanded_;
  if (held(value, processor) == Word(wanted->first, wanted->second)) {
    ++delivered_;
    return;
  }
  workshop_.faults.add(end, {}, {}, [&] {
    return fmt::format("processor {} does not end with the contributions {} to {} of value {}",
                       workshop_.fabric.name(processor), wanted->first, wanted->second, value);
  });
}

}  // namespace quadrille::replaying
