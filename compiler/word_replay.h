// A plan's rows replayed, step after step: which words each one sends, and what becomes of it (model/MODEL.md, Words).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/held_words.h"
#include "compiler/plan.h"
#include "compiler/send_words.h"
#include "model/send_table.h"

namespace quadrille {

class WordReplay {
 public:
  explicit WordReplay(const Plan& plan);

  // What the rows of the next step say of words, each made by the send of the same index. Valid until the next call.
  // Throws EvaluationError where a sender has no words for a sum, and where rows that are alike say different things.
  std::span<const WordUse> step(const StepRows& rows, std::span<const SendSerial> sends);

 private:
  using Set = HeldWords::Set;

  // A packet that goes from a node to another: in a row, or in the rows of a message.
  struct Move {
    NodeId from, to;
    ChunkName name;
    Row last;                      // into `to`
    std::size_t departs, arrives;  // indices of rows
    SendSerial send;
    Set carried;
  };

  void list_moves(const StepRows& rows, std::span<const SendSerial> sends);
  void add_move(const StepRows& rows, std::size_t departs, std::size_t arrives, SendSerial send);
  Set picked_up(const Move& move);
  Set from_words(const Move& move);
  Set from_switch(const Move& move);
  void put_down(const Move& move);
  void join_in_switch(const Move& move);
  void mark_kept();
  void join_all();
  void settle_alike(const StepRows& rows, std::span<const SendSerial> sends);
  [[noreturn]] void refuse(const Row& row, SendSerial send);
  bool is_switch(NodeId node) const { return !plan_.fabric().is_processor(node); }

  const Plan& plan_;
  const Collective& collective_;
  WordsOfSends words_of_;
  HeldWords held_;
  std::uint32_t step_ = 0;
  std::vector<Move> moves_;
  std::vector<WordUse> uses_;  // by row
  using PacketAt = std::pair<std::uint64_t, NodeId>;
  std::map<PacketAt, Set> brought_;                                  // what the latest row of a packet brought
  std::map<PacketAt, std::deque<Set>> copies_;                       // in switches that forward
  using ValueAt = std::tuple<NodeId, std::uint32_t, std::uint32_t>;  // switch, target, part
  std::map<ValueAt, Set> joined_;                                    // in switches that reduce
};

}  // namespace quadrille
