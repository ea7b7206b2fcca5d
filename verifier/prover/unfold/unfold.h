// Unfolds a schedule into the families of its sends, for every size at once.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "model/limits/watch.h"
#include "model/text/arguments.h"
#include "verifier/prover/problem/expressions.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// Whether the variables of `scope` can have values in their ranges with which `given` holds. The answer may be a
// wrong yes.
using Feasible = std::function<bool(const std::vector<Atom>& scope, Formula given)>;

// Runs the schedule's body with variables in place of values. `fixed`: parameters that have one value, as for the
// compiler; patterns must be among them. The constructor throws Unsupported for reasons in the parameters only. run()
// throws it, too; what it has found by then stays in problem().
class Unfolder {
 public:
  Unfolder(Algebra& algebra, const ir::Schedule& schedule, const Arguments& fixed, Feasible feasible, Watch& watch);

  Problem& problem() { return problem_; }
  Expressions& expressions() { return *expressions_; }

  void run();  // fills problem()

 private:
  void parameters(const Arguments& fixed);
  Piece values_of(const ir::Parameter& from);
  bool divide(const ir::Parameter& from);
  void fabric();
  void collective();
  bool is_binary(const ir::FabricLine& line);
  void tree(const ir::FabricLine& line);
  void tree_size(const ir::FabricLine& line);
  void by_crossings(const ir::FabricLine& line);
  BoundCrossings bound_crossings(const ir::FabricLine& line);
  void add_argument(const ir::Argument& argument, const TopologyFamily& family,
                    std::map<std::string, std::vector<Number>>& numbers, FabricForm& form);
  void tree_capacity(const ir::Argument& argument);
  bool add_rule(const ir::Argument& argument);
  void add_words_of_ports();

  // A relabelling in force, with the values that its expressions may use.
  struct Relabelling {
    const ir::Relabel* relabel = nullptr;
    std::vector<Value> frame;
    const Relabelling* outer = nullptr;
  };
  // The place of a statement. It is passed by value, because statements inside a block have places of their own.
  struct StatementPlace {
    ExpressionContext in;
    const Clock* clock = nullptr;
    Number before;                                // the step before its first, in the clock's time
    const BoundCollective* collective = nullptr;  // inside a reversal: the dual one
    const Relabelling* relabelling = nullptr;     // the innermost
  };
  StatementPlace inside(StatementPlace at, const std::vector<Atom>& variables, Formula given) const;
  static StatementPlace on(StatementPlace at, const Clock* clock, Number before);
  static StatementPlace bound(StatementPlace at, const ExpressionContext& in);  // inside a loop

  void block(const ir::Block& statements, StatementPlace at);
  void statement(const ir::Statement& s, StatementPlace& at);  // a let adds its value
  void run_node(const ir::At& node, const ir::Statement& s, const StatementPlace& at);
  void run_node(const ir::Parts& parts, const ir::Statement& s, const StatementPlace& at);
  void run_node(const ir::Turns& turns, const ir::Statement& s, const StatementPlace& at);
  void run_node(const ir::Reverse& reverse, const ir::Statement& s, const StatementPlace& at);
  void run_node(const ir::Discipline& discipline, const ir::Statement& s, const StatementPlace& at);
  void run_node(const ir::For& loop, const ir::Statement& s, const StatementPlace& at);
  void run_node(const ir::If& choice, const ir::Statement& s, const StatementPlace& at);
  void run_node(const ir::Let& let, const ir::Statement& s, StatementPlace& at);
  void run_node(const ir::Call& call, const ir::Statement& s, const StatementPlace& at);
  void run_node(const ir::Relabel& relabel, const ir::Statement& s, const StatementPlace& at);
  void run_node(const ir::Run&, const ir::Statement& s, const StatementPlace&);
  void run_node(const ir::Send& send, const ir::Statement& s, const StatementPlace& at);

  void repeat(const ir::Expression& count, const ir::Block& body, Span span, const StatementPlace& at);
  Clock* clock(Clock::Kind kind, const StatementPlace& at, Span span);
  void branch(Formula condition, const ir::Block& body, const StatementPlace& at);
  Piece counted_from_zero(const Piece& piece);
  // The processors that name a send's packet where the schedule does not.
  struct Ends {
    Number source, target;
  };
  void send_to_one(const ir::Send& send, const StatementPlace& at, Family family, const Number& source,
                   const Number& target);
  void send_to_many(const ir::Send& send, const StatementPlace& at, Family family, const Number& source,
                    const Set& targets);
  void send_to(const ir::Send& send, const StatementPlace& at, Family family, const Ends& ends);
  // Applies the relabellings around (unfold_reversal.cpp).
  Number image(const Relabelling& by, const ir::Renaming& renaming, const Number& of, const ExpressionContext& at);
  Number relabelled(Number processor, const StatementPlace& at, Span span);
  Piece relabelled(Piece piece, const StatementPlace& at, Span span);
  Number carried(Number processor, const StatementPlace& at, Span span);
  Piece carried(Piece piece, const StatementPlace& at, Span span);
  static void require_one_piece(const Set& set, const StatementPlace& at, Span span);
  // Adds messages in rounds (unfold_sends.cpp).
  void add_message(const ir::Send& send, const StatementPlace& at, const Family& family, const Ends& ends);
  void add_held(const ir::Send& send, const StatementPlace& at, const Family& message, const Ends& ends);
  std::vector<Piece> pieces_of(const std::optional<ir::Expression>& e, const Number& otherwise,
                               const StatementPlace& at, const char* name);
  Piece renamed(const Piece& piece, const char* name);
  void require_in_message(const Family& family, bool named, const StatementPlace& at);

  Number usual_origin(const ir::Send& send, const StatementPlace& at, const Ends& ends);
  Number usual_addressee(const StatementPlace& at, const Ends& ends);
  void require_packet(const Family& family, const StatementPlace& at);
  void reverse_family(Family& family, const Clock& clock);
  // Reverses combining collectives (unfold_reversal.cpp).
  void reverse_into_reduction(const ir::Reverse& reverse, const ir::Statement& s, const StatementPlace& at);
  void require_first_receptions(std::size_t first);

  Algebra& algebra_;
  Problem problem_;
  Feasible feasible_;
  Watch& watch_;
  std::unique_ptr<Expressions> expressions_;
  std::deque<Relabelling> relabellings_;
  std::optional<std::size_t> product_;  // a parameter whose values are products, {r*c for …}, until one divides it
  std::uint32_t blocks_ = 0;            // number of blocks with parts so far
  std::uint32_t messages_ = 0;          // number of sends so far, in rounds
};

}  // namespace quadrille::prover
