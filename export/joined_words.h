// What becomes of arrivals in a combining collective: a table names packets, not what they carry, so their
// contributions are followed through the whole table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "export/moves.h"
#include "model/messages/contribution_set.h"
#include "model/send_table.h"

namespace quadrille::exporting {

class JoinedWords {
 public:
  explicit JoinedWords(const SendTable& table) : table_(table) {}

  // Carries out a step, whose moves are in the order of arrivals. Every move that reaches its packet's target is told
  // what becomes of it, and the moves are put in an order in which what is combined always makes an interval, if the
  // operation is ordered. Or says what breaks the model's rules.
  std::optional<std::string> step(StepId step, std::vector<Move>& moves);

  // The words that make up the processor's result for a value as it is now, in order of rank.
  std::vector<std::uint32_t> result(std::uint32_t value, NodeId processor) const;
  // Words named by a row of its value, in the order in which they are combined: in order of rank, if the operation is
  // ordered.
  std::vector<std::uint32_t> in_order(std::uint32_t value, NodeId processor, std::vector<std::uint32_t> words) const;

  // Whether all the words are there that the move's row names, and can be chained.
  bool has(const Move& move) const { return chained(move).has_value(); }

  // That it takes, at most; what a hash table's entry takes is an estimate.
  std::uint64_t bytes() const { return (held_.size() + kept_count_ + brought_count_) * entry_bytes + run_bytes_; }

 private:
  using Word = ContributionSet;
  struct Joining {
    std::uint64_t place;
    std::size_t move;
    Word word;
  };

  std::uint64_t place(std::uint32_t value, NodeId processor) const {
    return std::uint64_t{value} * table_.collective.processors() + processor.value;
  }
  Word held(std::uint32_t value, NodeId processor) const;
  Word word(std::uint32_t value, NodeId processor, std::uint32_t number) const;
  std::optional<Word> chained(const Move& move) const;
  std::optional<Word> departing(const Move& move) const;
  void keep(std::vector<Move>& moves);
  std::optional<std::string> join(StepId step, std::vector<Joining>::iterator first,
                                  std::vector<Joining>::iterator last, std::vector<Move>& moves);
  bool chain(std::vector<Joining>::iterator first, std::vector<Joining>::iterator last, const Word& from,
             std::vector<Move>& moves);

  const SendTable& table_;
  std::unordered_map<std::uint64_t, Word> held_;  // by value and processor, where it is no longer its own contribution
  std::unordered_map<std::uint64_t, std::vector<Word>> kept_;                           // likewise; words 1, 2, …
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, Word>> brought_;  // by packet and node
  std::vector<Word> carried_;
  std::vector<Joining> joinings_;
  std::vector<std::size_t> order_;  // of the moves, as they are joined
  static constexpr std::uint64_t entry_bytes = 128;
  std::uint64_t brought_count_ = 0;
  std::uint64_t kept_count_ = 0;
  std::uint64_t run_bytes_ = 0;  // of all sets that were ever made
};

}  // namespace quadrille::exporting
