// Rows replayed, step after step: which words each one sends, and what becomes of it (model/MODEL.md, Words).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/plan/held/held_words.h"
#include "compiler/plan/held/passages.h"
#include "compiler/plan/held/send_words.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"
#include "model/text/source.h"

namespace quadrille {

// What is said of a row's words: by the send that made it, or by the row of a table.
struct SaidOfWords {
  const ContributionSet* sum = nullptr;       // what a send wants sent; null: the word held, or
  std::span<const std::uint32_t> named = {};  // the words that a row names; empty: the word held
  Arrival arrival = Arrival::joined;          // what is to become of it
  Span span = {};                             // of the send
};

SaidOfWords said_of(const SendWords& words);

class WordReplay {
 public:
  // Both outlive it. `in_rounds`: whether messages speak of rounds.
  WordReplay(const Fabric& fabric, const Collective& collective, bool in_rounds)
      : fabric_(fabric), collective_(collective), in_rounds_(in_rounds), held_(collective) {}

  // What the rows of the next step say of words, each with what is said of it. Valid until the next call. Throws
  // EvaluationError where a sender has no words for a sum, and where rows that are alike say different things.
  std::span<const WordUse> step(const StepRows& rows, std::span<const SaidOfWords> said);

  using Set = HeldWords::Set;
  // What each row carried of the step replayed last; of a message, its first. Null: nothing.
  const std::vector<Set>& carried() const { return carried_; }
  // What processors hold now.
  const HeldWords& held() const { return held_; }
  // How often something that arrived at its target, or in a switch that reduces, came to nothing, or left a gap in an
  // ordered operation.
  std::uint64_t faults() const { return faults_; }

 private:
  using PacketAt = std::pair<std::uint64_t, NodeId>;
  using ValueAt = std::tuple<NodeId, std::uint32_t, std::uint32_t>;  // switch, target, part

  // A passage, with what it brings to its receiver.
  struct Move {
    Passage passage;
    NodeId to;
    ChunkName name;  // as which it arrives
    Row last;        // into `to`
    Set carried;
  };

  void list_moves();
  NodeId sender(std::size_t row) const { return fabric_.channel(rows_.rows[row].channel).from; }
  Set carried_by(const Passage& passage);
  Set joined_on_way(std::span<const std::size_t> rows);
  Set joined_at_meeting(std::vector<std::pair<Set, ChannelId>>& arrived);
  Set picked_up(std::size_t row);
  Set from_words(std::size_t row, const ChunkName& name);
  Set from_switch(std::size_t row, const ChunkName& name);
  void empty_switches();
  void put_down(const Move& move);
  void join_in_switch(const Move& move);
  Set joined(const Set& there, const Set& brought);
  void join_all();
  void count_gaps();
  void settle_alike();
  [[noreturn]] void refuse(std::size_t row) const;
  bool is_switch(NodeId node) const { return !fabric_.is_processor(node); }
  const char* step_or_round() const { return in_rounds_ ? "round" : "step"; }

  const Fabric& fabric_;
  const Collective& collective_;
  bool in_rounds_;
  HeldWords held_;
  StepRows rows_;  // of the step at work
  std::span<const SaidOfWords> said_;
  std::vector<Move> moves_;
  std::vector<std::size_t> left_;  // rows out of switches that reduce
  std::vector<WordUse> uses_;      // by row
  std::vector<Set> carried_;       // likewise
  std::uint64_t faults_ = 0;
  std::map<PacketAt, Set> brought_;             // what the latest row of a packet brought
  std::map<PacketAt, std::deque<Set>> copies_;  // in switches that forward
  std::map<ValueAt, Set> joined_;               // in switches that reduce
};

}  // namespace quadrille
