// RoundFormula is the formula of "there is a schedule of T rounds" (verifier/ROUNDS_FORMULA.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "verifier/search/problem/problem.h"
#include "verifier/search/rounds/network.h"
#include "verifier/search/rounds/tables.h"

namespace quadrille::searching {

// Numbers the variables of one round. With a volume, which may be 0, lengths count.
struct RoundNumbering {
  RoundNumbering(const RoundNetwork& network, const std::vector<Origin>& origins, std::uint32_t nodes,
                 const Collective& collective, std::optional<std::uint32_t> volume);

  std::uint64_t variables = 0;        // number of variables in a round
  std::vector<std::uint64_t> start;   // [strand], where a message may start with it
  std::vector<std::uint64_t> end;     // [strand], where a message may end with it
  std::vector<std::uint64_t> follow;  // [strand], then by the strands before it
  std::uint64_t used = 0;             // from here on by strand, where `uses`
  bool uses = false;
  std::uint64_t deep = 0;                         // from here on by strand and by depth from 2 on
  std::vector<std::vector<std::uint64_t>> carry;  // [origin][strand], where it may be carried
  std::vector<std::vector<std::uint64_t>> got;    // likewise, where a message may end
  std::vector<std::vector<std::uint64_t>> has;    // [origin][node]; `nothing` where the origin starts
  std::vector<std::vector<std::uint64_t>> part;   // [value][strand]: something of the value is carried
  std::uint64_t length = 0;                       // from here on, by length from 1 to the volume
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};
};

class RoundFormula final : public ScheduleFormula {
 public:
  // Keeps references. With a volume, the formula is about T rounds and so much volume, on the strands of
  // volume_network().
  RoundFormula(const Fabric& fabric, const Collective& collective, const RoundNetwork& network,
               const std::vector<Origin>& origins, std::uint32_t T, std::optional<std::uint32_t> volume = {});

  // Restricts the formula; requires that it is not written yet. Each origin comes to each node at most once, and all
  // receivers of a message get the same. For messages that join, this means that each origin leaves each node once,
  // and from all senders (tables.h).
  void send_once() { once_ = true; }
  int write(ClauseSink& sink) override;
  std::vector<int> last_hops(std::uint32_t T) const override;
  void name_variables(const NameVariables& say) const override;
  std::vector<StepRow> rows(const std::function<bool(int)>& is_true) const override;
  std::optional<SendTable> table(const SearchProblem& problem, const std::function<bool(int)>& is_true) const override;

 private:
  int variable(std::uint32_t round, std::uint64_t index) const;
  int start(std::uint32_t r, std::size_t i) const { return variable(r, numbers_.start[i]); }
  int end(std::uint32_t r, std::size_t i) const { return variable(r, numbers_.end[i]); }
  int follow(std::uint32_t r, std::size_t i, std::size_t j) const { return variable(r, numbers_.follow[i] + j); }
  int used(std::uint32_t r, std::size_t i) const { return variable(r, numbers_.used + i); }
  int deep(std::uint32_t r, std::size_t i, std::uint32_t h) const;
  int carry(std::uint32_t r, std::size_t k, std::size_t i) const { return variable(r, numbers_.carry[k][i]); }
  int got(std::uint32_t r, std::size_t k, std::size_t i) const { return variable(r, numbers_.got[k][i]); }
  int length(std::uint32_t r, std::uint32_t l) const { return variable(r, numbers_.length + (l - 1)); }
  int volume(std::uint32_t v) const { return static_cast<int>(T_ * numbers_.variables + v); }
  bool carries(std::size_t k, std::size_t i) const { return numbers_.carry[k][i] != RoundNumbering::nothing; }
  bool ends(std::size_t i) const { return network_.strands[i].ends; }
  int has(std::uint32_t r, std::size_t k, NodeId node) const { return variable(r, numbers_.has[k][node.value]); }
  bool starts(std::size_t k, NodeId node) const { return numbers_.has[k][node.value] == RoundNumbering::nothing; }

  void carrying(std::uint32_t r, std::size_t i, ClauseSink& sink) const;
  void ending(std::uint32_t r, std::size_t i, ClauseSink& sink) const;
  void deepening(std::uint32_t r, std::size_t i, ClauseSink& sink) const;
  void having(std::uint32_t r, ClauseSink& sink) const;
  void ports(std::uint32_t r, ClauseSink& sink);
  void branching(std::uint32_t r, ClauseSink& sink);
  void sharing(std::uint32_t r, ClauseSink& sink);
  void weighing(std::uint32_t r, ClauseSink& sink);
  std::vector<int> load(std::uint32_t r, std::size_t i) const;
  void adding_up(ClauseSink& sink);
  void carrying_the_same(std::uint32_t r, std::size_t i, ClauseSink& sink) const;
  void getting_once(ClauseSink& sink);
  std::optional<SendTable> drawn_table(const std::function<bool(int)>& is_true) const;
  void note_values(std::size_t k, DrawnMessage& message) const;
  std::vector<DrawnMessage> messages(const std::function<bool(int)>& is_true) const;
  bool draw(std::uint32_t r, std::size_t end_strand, std::vector<DrawnMessage>& drawn,
            const std::function<bool(int)>& is_true) const;

  const Fabric& fabric_;
  const Collective& collective_;
  const RoundNetwork& network_;
  const std::vector<Origin>& origins_;
  std::uint32_t T_;
  std::optional<std::uint32_t> volume_;
  RoundNumbering numbers_;
  std::vector<std::vector<std::uint32_t>> into_;                            // [node]: strands into it
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> next_;  // [strand]: strands, and the place there
  bool once_ = false;
  int next_free_ = 1;
};

}  // namespace quadrille::searching
