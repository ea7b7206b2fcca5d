// A schedule for every size, unrolled into families of sends: what the obligations are made from.
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

// Something that must hold wherever its variables are in their ranges and `given` holds.
struct Condition {
  std::vector<Atom> scope;
  Formula given = nullptr;
  Formula must = nullptr;
  std::string words;
  Span span;
  std::string failure;  // of where it fails, with {} for …
  Number number;        // … this: "the exponent is {}"; if it is not empty
  bool basic = false;   // what the families build on: if it fails, that is no fault, but nothing is known of them
};

// A stretch of time that starts when something else has ended. Sends are timed by the clock that they are under.
struct Clock {
  enum class Kind : std::uint8_t {
    whole,      // the schedule's; starts with step 1
    part,       // of a block with `then`: starts when the part before it has arrived
    iteration,  // an iteration of a loop `in turn`, one after another
    reversed    // the block of a `reverse`
  };
  Kind kind = Kind::whole;
  const Clock* parent = nullptr;
  std::uint32_t block = 0;      // parts of one block have the same number
  std::uint32_t part = 0;       // their order
  std::vector<Atom> variables;  // iteration: of the loop
  std::vector<bool> falling;    // of each of these, whether it runs downwards; empty: in what order is not known
  std::vector<Atom> scope;      // all variables outside
  Formula given = nullptr;      // conditions outside
  Number start;                 // in the parent's time: the step before its first (of the block, the loop)
  std::optional<Atom> length;   // reversed: how many steps it takes
  Span span;
};

// The sends of one statement: one for each value of `variables` with which `given` holds. In rounds a send is a message
// (to each of its destinations), and its chunks are those of all families with its number; these have the same
// variables, conditions, times and ends.
struct Family {
  std::vector<Atom> variables;  // oldest first
  Formula given = nullptr;
  Formula known = nullptr;  // true of all of them, whatever else
  const Clock* clock = nullptr;
  Number start;  // the step, in the clock's time, in which it leaves
  Number source;
  Number target;                         // with the variables of `destinations`, if it goes to many
  std::vector<Atom> destinations;        // one target for each value of these with which …
  Formula destinations_given = nullptr;  // … this holds
  std::vector<Atom> chunks;              // in rounds: a chunk for each value of these with which …
  Formula chunks_given = nullptr;        // … this holds, all of them different
  std::uint32_t message = 0;             // in rounds
  bool multicast = false;
  bool everyone = false;            // they are all processors but the source
  std::optional<Number> apex;       // on a tree: the apex level of its packets, if a formula for it was found
  bool to_neighbours = false;       // not on a tree: its packets cross one channel each; that they do is an obligation
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
  std::string argument;          // of a single value: as for the compiler
  bool idle = false;
};

// A collective's terms, with the schedule's numbers for their parameters.
struct BoundCollective {
  CollectiveKind kind;
  CollectiveTerms terms;
  std::vector<Number> parameters;                // processors, root; combining: and the parts that are asked for
  Number parts = 1;                              // of each message; combining: values
  std::optional<ReductionTerms> reduction = {};  // if it combines
};

struct Problem {
  const ir::Schedule* schedule = nullptr;
  std::vector<ProblemParameter> parameters;
  Machine machine;
  Number processors;  // 0: not known
  // Where processors are numbered row by row, in as many dimensions as there are factors of their number: these, the
  // last dimension last.
  std::vector<Number> extents;
  BoundCollective collective;
  std::deque<Clock> clocks;  // the whole first
  std::vector<Family> families;
  std::vector<Condition> conditions;
  bool widened = false;          // more values of parameters are spoken of than there are: what fails refutes nothing
  bool capacities_used = false;  // the schedule's own formulas speak of capacities
};

// How many steps the family's packets are under way: as many as they have hops; in rounds 1.
Number duration(Algebra& algebra, const Machine& machine, const Family& family);
// Of the families with one number in rounds the first; all of them in steps.
std::vector<const Family*> one_of_each_message(const Problem& problem);
}  // namespace quadrille::prover
