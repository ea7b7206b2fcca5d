// A schedule for every size, unfolded into families of sends. The obligations are made from it.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir.h"
#include "model/crossings.h"
#include "model/terms/collective_terms.h"
#include "verifier/prove.h"
#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// A topology's crossings, with the schedule's numbers as their parameters.
struct BoundCrossings {
  Crossings crossings;
  std::vector<Number> parameters;
};

// Either a binary tree, whose proofs go level by level, or any other topology, given by its crossings.
struct Machine {
  std::string kind;                         // "ring"
  std::optional<Number> levels;             // of a binary tree
  std::optional<BoundCrossings> crossings;  // of the others
  bool widening = false;                    // tree: the capacity of level i is at least 2^(i-1)
  bool exact = false;                       // the capacities are exactly these (or all 1), not larger
  bool single_port = false;
  bool half_duplex = false;
  bool rounds = false;  // steps are rounds, in which messages cross their whole path
  bool shared = false;  // in rounds: messages share lanes
  // Switches hand on a packet as often as it came. If each send goes to one processor and nothing waits, each row out
  // of a switch has its own row into it, one step before. Then forwarding is the same as copying, and no obligation
  // is about it.
  bool forwards = false;
  std::string words;  // "binary fat tree of L levels, capacity exponential"
};

// The number of steps that a packet from source to target takes, on the machine's default route, without waiting.
Number hops(Algebra& algebra, const Machine& machine, const Number& source, const Number& target);
// Whether no packet crosses a switch, wherever it goes.
bool without_switches(const Machine& machine);

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

// A number 0 … m - 1. If m is a product, it has a digit for each factor, the last one last; if m is 1, none.
struct NumberInDigits {
  Number number;
  std::vector<Atom> digits;
};
// Any such number: its digits are new variables.
NumberInDigits any_number(Algebra& algebra, const std::string& name, const std::vector<Number>& factors);
// Puts the value's digits in place of the variables: from the last on, what is left is divided by its size.
void put_digits(Algebra& algebra, const std::vector<Atom>& digits, const Number& value, Substitution& by);

// The number of steps for which the family's packets are under way: their number of hops; in rounds 1.
Number duration(Algebra& algebra, const Machine& machine, const Family& family);
// The variables of one delivery of the family: of the send, its destination and its chunk. And those that identify its
// packets: of the send and the chunk.
std::vector<Atom> delivery_variables(const Family& family);
std::vector<Atom> packet_variables(const Family& family);
// In rounds, the first of the families with each number; in steps, all families.
std::vector<const Family*> one_of_each_message(const Problem& problem);

// Asks about each size once. Several threads may use it; one at a time asks the checker.
class CheckedSizes {
 public:
  using HoldsAt = std::function<std::optional<bool>(const Arguments& arguments)>;

  explicit CheckedSizes(const HoldsAt& holds_at) : holds_at_(holds_at) {}  // keeps a reference

  // Whether the schedule holds at this size; nothing if it is too large, or if there is no checker to ask.
  std::optional<bool> hold(const Arguments& size);

 private:
  const HoldsAt& holds_at_;
  std::map<Arguments, std::optional<bool>> known_;
  std::mutex mutex_;
};

// A schedule's problem, the values of its pattern parameters (and others), and the checker to ask.
struct Subject {
  const Problem& problem;
  const Arguments& arguments;
  CheckedSizes& checked;

  // The arguments of the size with these values of the parameters.
  Arguments at(const Assignment& size) const;
};

// Calls visit() for every combination of the variables' values that their ranges allow, the oldest variable first.
// `values` has the values of the other variables. False once visit() has returned false, or if there are too many
// values to try.
bool for_each_value(const std::vector<Atom>& variables, Assignment& values, const std::function<bool()>& visit);

// Small values of the variables with which all these hold: the first few of each range.
std::vector<Assignment> small_values(const std::vector<Atom>& variables, const std::vector<Formula>& hold);

// Small sizes with which `when` holds: values of the parameters that have more than one.
std::vector<Assignment> small_sizes(const Problem& problem, Formula when);

// Values of these variables (older ones first), in their ranges, with which `given` holds; nothing if none are found
// soon.
std::optional<Assignment> some_values(const std::vector<Atom>& variables, Formula given);

// The parameters that have more than one value.
std::vector<Atom> open_parameters(const Problem& problem);

// Short formulas in these variables: 0, 1, 2, 3, and each variable, one more than it and one less.
std::vector<Number> simple_numbers(const std::vector<Atom>& variables);

}  // namespace quadrille::prover
