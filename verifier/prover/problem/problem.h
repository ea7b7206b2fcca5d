// A schedule for every size, unfolded into families of sends. The obligations are made from it.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir.h"
#include "model/terms/collective_terms.h"
#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/algebra/unsupported.h"
#include "verifier/prover/problem/machine.h"

namespace quadrille::prover {

// A formula that must hold wherever its variables are in their ranges and `given` holds.
struct Condition {
  std::vector<Atom> scope;
  Formula given = nullptr;
  Formula must = nullptr;
  std::string words;
  Span span;
  std::string failure;  // text for a failure, with {} for …
  Number number;        // … this number: "the exponent is {}"; if it is not empty
  bool basic = false;   // the families build on it: if it fails, that is no fault, but nothing is known of them
};

// A stretch of time that starts when something else has ended. Each send is timed by the clock that it is under.
struct Clock {
  enum class Kind : std::uint8_t {
    whole,      // the schedule's; starts with step 1
    part,       // of a block with `then`: starts when the part before it has arrived
    iteration,  // an iteration of a loop `in turn`, one after another
    reversed    // the block of a `reverse`
  };
  Kind kind = Kind::whole;
  const Clock* parent = nullptr;
  std::uint32_t block = 0;      // the same for all parts of one block
  std::uint32_t part = 0;       // their order
  std::vector<Atom> variables;  // iteration: the variables of the loop
  std::vector<bool> falling;    // by these: whether it runs downwards; empty: the order is not known
  std::vector<Atom> scope;      // all variables outside
  Formula given = nullptr;      // conditions outside
  Number start;                 // in the parent's time: the step before the first one (of the block, the loop)
  std::optional<Atom> length;   // reversed: the number of steps that it takes
  Span span;
};

// The sends of one statement: one for each value of `variables` with which `given` holds. In rounds a send is a
// message (to each of its destinations). Its chunks are those of all families with its number; these families have
// the same variables, conditions, times and ends.
struct Family {
  std::vector<Atom> variables;  // oldest first
  Formula given = nullptr;
  Formula known = nullptr;  // true of all of them, in any case
  const Clock* clock = nullptr;
  Number start;  // the step in which it leaves, in the clock's time
  Number source;
  Number target;                         // with the variables of `destinations`, if it goes to many
  std::vector<Atom> destinations;        // one target for each value of these with which …
  Formula destinations_given = nullptr;  // … this holds
  std::vector<Atom> chunks;              // in rounds: a chunk for each value of these with which …
  Formula chunks_given = nullptr;        // … this holds, all of them different
  std::uint32_t message = 0;             // in rounds
  bool held = false;                     // of these chunks, those that the source has when the round begins
  bool multicast = false;
  bool everyone = false;            // the destinations are all processors but the source
  std::optional<Number> apex;       // on a tree: the apex level of its packets, if a formula for it was found
  bool to_neighbours = false;       // not on a tree: each packet crosses one channel only; that is an obligation
  Number origin;                    // of the packet; these three with the variables of `chunks`, in rounds
  std::optional<Number> addressee;  // nothing: for everyone
  Number part;
  Span span;
};

struct ProblemParameter {
  std::string name;
  std::optional<Atom> variable;  // nothing: it has one value
  Number value;                  // the variable, or a formula in it: of {2^i for i in 1..16}, 2^i
  std::string values;            // "1..62", "exponential", "4"
  std::string argument;          // of a single value: in the compiler's form
  bool idle = false;
};

// A collective's terms, with the schedule's numbers as their parameters.
struct BoundCollective {
  CollectiveKind kind;
  CollectiveTerms terms;
  std::vector<Number> parameters;                // processors, root; combining: also the parts that are asked for
  Number parts = 1;                              // of each message; combining: values
  std::optional<ReductionTerms> reduction = {};  // if it combines
  Operation operation = Operation::commutative;  // with which it combines
};

struct Problem {
  const ir::Schedule* schedule = nullptr;
  std::vector<ProblemParameter> parameters;
  Formula sizes = nullptr;  // what else their values must be: of {d for d in 0..16 if 3^d <= N}, the condition
  Machine machine;
  Number processors;  // 0: not known
  // If processors are numbered row by row, in as many dimensions as their number has factors: these factors, the last
  // dimension last.
  std::vector<Number> extents;
  BoundCollective collective;
  std::deque<Clock> clocks;  // the whole first
  std::vector<Family> families;
  std::vector<Condition> conditions;
  bool widened = false;          // more values of parameters are covered than exist: a failure refutes nothing
  bool capacities_used = false;  // the schedule's own formulas contain capacities
};

// The number of steps for which the family's packets are under way: their number of hops; in rounds 1.
Number duration(Algebra& algebra, const Machine& machine, const Family& family);
// In rounds, the first of the families with each number; in steps, all families.
std::vector<const Family*> one_of_each_message(const Problem& problem);
}  // namespace quadrille::prover
