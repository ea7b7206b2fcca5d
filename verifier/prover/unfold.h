// From a schedule to the families of its sends, for every size at once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "verifier/prover/expressions.h"
#include "verifier/prover/problem.h"

namespace quadrille::prover {

// Whether the variables of `scope` can have values in their ranges with which `given` holds. May say yes for no.
using Feasible = std::function<bool(const std::vector<Atom>& scope, Formula given)>;

// Runs the schedule's body with variables in place of values. `fixed`: parameters that have one value, as for the
// compiler; patterns must be among them. Throws Unsupported: while it is made, of parameters only; what run() has come
// to know by then stays.
class Unfolder {
 public:
  Unfolder(Algebra& algebra, const ir::Schedule& schedule, const std::map<std::string, std::string>& fixed,
           Feasible feasible);

  Problem& problem() { return problem_; }
  Expressions& expressions() { return *expressions_; }

  void run();  // fills problem()

 private:
  void parameters(const std::map<std::string, std::string>& fixed);
  void fabric();
  void collective();
  void tree(const ir::FabricLine& line);
  void tree_size(const ir::FabricLine& line);
  void ring(const ir::FabricLine& line);
  void tree_capacity(const ir::Argument& argument);

  // Where a statement is: the clock, and the step before its first in the clock's time.
  struct Time {
    const Clock* clock = nullptr;
    Number before;
  };
  void block(const ir::Block& statements, Frame& frame, const Time& time);
  void statement(const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::At& at, const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::For& loop, const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::If& branch, const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::Let& let, const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::Send& send, const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::Repeat& repeat, const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::Reverse& reverse, const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::Relabel& relabel, const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::Discipline& discipline, const ir::Statement& s, Frame& frame, const Time& time);
  void run_node(const ir::Call& call, const ir::Statement& s, Frame& frame, const Time& time);

  Clock* clock(Clock::Kind kind, const Time& time, Span span);
  void branch(Formula condition, const ir::Block& body, Frame& frame, const Time& time);
  Piece counted_from_zero(const Piece& piece);
  void send_to(const ir::Send& send, const ir::Statement& s, Frame& frame, Family family);
  void reverse_family(Family& family, const Clock& clock);

  Algebra& algebra_;
  Problem problem_;
  Feasible feasible_;
  std::unique_ptr<Expressions> expressions_;
  unsigned depth_ = 0;
  std::uint32_t blocks_ = 0;
};

}  // namespace quadrille::prover
