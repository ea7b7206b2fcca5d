// The relation of what is held: had(k, x, d, p, t) says that at the end of step t processor k has of part p what x
// began with: the packet of origin x (and addressee d), or, where packets combine, the contribution of x. It is given
// by the step in which each arrives, for every size at once. It is guessed (guess.cpp), and shown (write_relation.cpp).
//
//   all-gather on a ring, the chunk of x travelling upwards: x has it at the start; k has it from step (k - x) mod N on
//
// Source: Floyd, Assigning Meanings to Programs, 1967 (induction over steps).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/prove.h"
#include "verifier/prover/obligations/writing.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// A packet or contribution, and the processor that holds it.
struct RelationItem {
  Number holder, origin;
  std::optional<Number> addressee;  // for copying; nothing: the packet is for everyone
  Number part;
};

struct Relation {
  NumberInDigits holder, origin;
  std::optional<NumberInDigits> addressee;
  NumberInDigits part;
  // The first case whose `when` holds says in which step the item arrives (0 or less: from the start), or that
  // it never does. One of them holds.
  struct ArrivalCase {
    Formula when = nullptr;
    std::optional<Number> arrival;
    std::optional<Number> first, last;  // the step is in this range, if it is not 0; nothing: not known
  };
  std::vector<ArrivalCase> cases;

  std::vector<const NumberInDigits*> numbers() const;  // holder, origin, addressee, part
  RelationItem item() const;                           // of its own variables
  std::vector<Atom> scope() const;                     // these variables
  // The formula that this case is the first whose `when` holds.
  Formula in_case(Algebra& algebra, std::size_t number) const;
};

// A relation's variables, without cases, for the problem's processors and parts.
Relation empty_relation(Algebra& algebra, const Problem& problem);
// The same kind of number with variables of its own.
NumberInDigits renamed_index(Algebra& algebra, const NumberInDigits& index, const std::string& suffix);

// The item's values in place of the relation's variables.
Substitution put_item(Algebra& algebra, const Relation& relation, const RelationItem& item);
// The item has arrived by the end of the step; or at any time.
Formula had(Algebra& algebra, const Relation& relation, const RelationItem& item, const Number& step);
Formula ever_had(Algebra& algebra, const Relation& relation, const RelationItem& item);
// The value, or the end of the variable's range that is next to it: so that an exponent is one everywhere. (Any value
// may be named.)
Number inside_range(Algebra& algebra, Atom variable, const Number& value);
// There is such a packet or contribution.
Formula item_exists(Algebra& algebra, const Problem& problem, const RelationItem& item);

// Values of the variables of some sends of a family that bring what the relation says, by its variables; they are tried
// where equations do not suggest others.
struct BringingSend {
  std::size_t in_case = 0;
  std::size_t family = 0;
  Substitution values;
};

struct GuessedRelation {
  Relation relation;
  Atom step = nullptr;  // in the values of `brought`: the step in which it arrives
  std::vector<BringingSend> brought;
};

// Writes that the relation holds, and that everyone has what it sends and, in the end, what it wants. `starts`: of each
// family, the step in which its sends leave, in the schedule's time. Throws Unsupported, Ended.
void write_by_relation(const Writing& writing, const GuessedRelation& guess, const std::vector<Number>& starts);

// Writes that no more of copied packets is held than the relation says, where processors are not on the way (rounds).
// With the above, it says exactly what is held.
void write_no_more(const Writing& writing, const GuessedRelation& guess, const std::vector<Number>& starts);
// The chunks that a family carries which carries what is held, by the relation, if it leaves in this step.
Formula carried(const Writing& writing, const Relation& relation, const Family& family, const Number& start);

// Sends that might bring what arrives by a case: with values for all variables of one delivery, by the relation's
// variables and the guess's step.
std::vector<BringingSend> named_sends(const Writing& writing, const GuessedRelation& guess,
                                      const std::vector<Number>& starts, std::size_t in_case);

// The step in which the sends of each family leave, in the schedule's time. What that builds on is added to the
// obligations. Throws Unsupported, Ended.
std::vector<Number> absolute_starts(const Writing& writing);

// `steps`: that the schedule takes.
ProvedRelation relation_text(Algebra& algebra, const Problem& problem, const Relation& relation, const Number& steps);

}  // namespace quadrille::prover
