// Joins by the rules of model/MODEL.md, step by step, with the sets of contributions that the simulator has.
//
// For example, an ordered reduction to 2 among four, in one step: 2 holds {2}, and {0}, {1} and {3} arrive. The model
// joins them by smallest contribution; a processor that computes needs them in an order in which each stands next to
// what it has, so 1 comes first (before), then 0 (before), then 3 (after). Where an arrival contains what is held, it
// takes its place, and what was joined earlier in the step is not needed. Cost: the runs of the sets that are joined.
#include "export/joined_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace quadrille::exporting {

JoinedWords::Word JoinedWords::held(std::uint32_t value, NodeId processor) const {
  const auto found = held_.find(place(value, processor));
  return found == held_.end() ? Word(processor.value) : found->second;
}

JoinedWords::Word JoinedWords::word(std::uint32_t value, NodeId processor, std::uint32_t number) const {
  return number == 0 ? held(value, processor) : kept_.at(place(value, processor)).at(number - 1);
}

// What the words make that the move's row names; nothing if one is not there, is named twice or leaves a gap.
std::optional<JoinedWords::Word> JoinedWords::chained(const Move& move) const {
  const std::uint32_t value = table_.collective.value_of(move.chunk);
  const auto kept = kept_.find(place(value, move.from));
  const std::size_t words = 1 + (kept == kept_.end() ? 0 : kept->second.size());
  Word all;
  for (const std::uint32_t number : move.leaving->sent) {
    if (number >= words) return std::nullopt;
    const Word next = word(value, move.from, number);
    if (!table_.collective.idempotent() && !all.empty() && !all.disjoint(next)) return std::nullopt;
    all = all.empty() ? next : all.united(next);
    if (table_.collective.ordered() && all.has_gap()) return std::nullopt;
  }
  return all;
}

std::vector<std::uint32_t> JoinedWords::in_order(std::uint32_t value, NodeId processor,
                                                 std::vector<std::uint32_t> words) const {
  if (!table_.collective.ordered()) return words;
  std::sort(words.begin(), words.end(), [&](std::uint32_t a, std::uint32_t b) {
    return word(value, processor, a).smallest() < word(value, processor, b).smallest();
  });
  return words;
}

std::vector<std::uint32_t> JoinedWords::result(std::uint32_t value, NodeId processor) const {
  const auto wanted = table_.collective.wanted_contributions(value, processor);
  if (!wanted) return {};
  const Word all(static_cast<std::uint32_t>(wanted->first), static_cast<std::uint32_t>(wanted->second));
  const auto kept = kept_.find(place(value, processor));
  std::vector<std::uint32_t> words;
  for (std::uint32_t number = 0; number < 1 + (kept == kept_.end() ? 0 : kept->second.size()); ++number) {
    if (all.contains(word(value, processor, number))) words.push_back(number);
  }
  std::sort(words.begin(), words.end(), [&](std::uint32_t a, std::uint32_t b) {
    return word(value, processor, a).smallest() < word(value, processor, b).smallest();
  });
  return words;
}

// Nothing if the packet is not there.
std::optional<JoinedWords::Word> JoinedWords::departing(const Move& move) const {
  if (table_.collective.name(move.chunk).origin == move.from.value) {
    if (move.leaving != nullptr && !move.leaving->sent.empty()) return chained(move);
    return held(table_.collective.value_of(move.chunk), move.from);
  }
  const auto packet = brought_.find(move.chunk.value);
  if (packet == brought_.end()) return std::nullopt;
  const auto found = packet->second.find(move.from.value);
  return found == packet->second.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> JoinedWords::step(StepId step, std::vector<Move>& moves) {
  carried_.clear();
  for (const Move& move : moves) {
    auto word = departing(move);
    if (!word) {
      return fmt::format("{} sends {} in step {}, but does not have it", table_.fabric.name(move.from),
                         table_.collective.label(move.chunk), step.value);
    }
    carried_.push_back(*std::move(word));
  }
  joinings_.clear();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Move& move = moves[i];
    const auto [brought, added] = brought_[move.chunk.value].insert_or_assign(move.to.value, carried_[i]);
    brought_count_ += added ? 1 : 0;
    if (table_.collective.name(move.chunk).target != move.to.value) continue;
    joinings_.push_back({place(table_.collective.value_of(move.chunk), move.to), i, carried_[i]});
  }
  std::stable_sort(joinings_.begin(), joinings_.end(), [](const Joining& a, const Joining& b) {
    return std::tuple(a.place, a.word.smallest()) < std::tuple(b.place, b.word.smallest());
  });
  order_.clear();
  keep(moves);
  for (auto first = joinings_.begin(); first != joinings_.end();) {
    const auto last =
        std::find_if(first, joinings_.end(), [&](const Joining& joining) { return joining.place != first->place; });
    if (auto wrong = join(step, first, last, moves)) return wrong;
    first = last;
  }
  std::vector<Move> ordered;
  for (const std::size_t i : order_) ordered.push_back(moves[i]);
  for (const Move& move : moves) {
    if (table_.collective.name(move.chunk).target != move.to.value) ordered.push_back(move);
  }
  moves = std::move(ordered);
  return std::nullopt;
}

// Takes those that are kept out of the joinings, which are in the order of arrivals.
void JoinedWords::keep(std::vector<Move>& moves) {
  std::erase_if(joinings_, [&](const Joining& joining) {
    Move& move = moves[joining.move];
    if (move.arriving == nullptr || move.arriving->arrival != Arrival::kept) return false;
    move.action = Action::keep;
    order_.push_back(joining.move);
    kept_[joining.place].push_back(joining.word);
    ++kept_count_;
    run_bytes_ += joining.word.intervals() * sizeof(Word::Interval);
    return true;
  });
}

// All that reaches one processor and value in this step.
std::optional<std::string> JoinedWords::join(StepId step, std::vector<Joining>::iterator first,
                                             std::vector<Joining>::iterator last, std::vector<Move>& moves) {
  const NodeId at = moves[first->move].to;
  const std::uint32_t value = table_.collective.value_of(moves[first->move].chunk);
  Word now = held(value, at);
  Word base = now;          // what the last one that replaced has left
  auto after_base = first;  // what came behind it
  for (auto it = first; it != last; ++it) {
    const WordUse* said = moves[it->move].arriving;
    const bool replaces = said != nullptr && said->arrival == Arrival::stored;
    const bool unites = said != nullptr && said->arrival == Arrival::combined;
    if (!replaces && (now.disjoint(it->word) || table_.collective.idempotent())) {
      now = now.united(it->word);
    } else if (!unites && it->word.contains(now)) {
      for (auto before = after_base; before != it; ++before) moves[before->move].action = Action::discard;
      for (auto before = after_base; before != it; ++before) order_.push_back(before->move);
      moves[it->move].action = Action::store;
      order_.push_back(it->move);
      base = now = it->word;
      after_base = it + 1;
    } else {
      return fmt::format(
          "{} at processor {} in step {}, by {}",
          replaces ? "what is held is replaced by what does not contain it" : "a contribution is counted twice",
          table_.fabric.name(at), step.value, table_.collective.label(moves[it->move].chunk));
    }
  }
  if (!chain(after_base, last, base, moves)) {
    return fmt::format("what processor {} combines in step {} has a gap", table_.fabric.name(at), step.value);
  }
  run_bytes_ += now.intervals() * sizeof(Word::Interval);
  held_[place(value, at)] = std::move(now);
  return std::nullopt;
}

// Those that are united with `from`: in any order if the operation commutes, else outwards on either side.
bool JoinedWords::chain(std::vector<Joining>::iterator first, std::vector<Joining>::iterator last, const Word& from,
                        std::vector<Move>& moves) {
  if (!table_.collective.ordered()) {
    for (auto it = first; it != last; ++it) {
      moves[it->move].action = Action::combine;
      order_.push_back(it->move);
    }
    return true;
  }
  // They come by increasing smallest contribution.
  const auto above =
      std::find_if(first, last, [&](const Joining& joining) { return joining.word.smallest() > from.smallest(); });
  Word now = from;
  const auto add = [&](const Joining& joining, Action action) {
    moves[joining.move].action = action;
    order_.push_back(joining.move);
    now = now.united(joining.word);
    return !now.has_gap();
  };
  for (auto it = above; it != first; --it) {
    if (!add(*(it - 1), Action::combine_before)) return false;
  }
  for (auto it = above; it != last; ++it) {
    if (!add(*it, Action::combine_after)) return false;
  }
  return true;
}

}  // namespace quadrille::exporting
