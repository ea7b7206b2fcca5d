// The core is the form to which the compiler lowers the statements of a schedule, for every size: sends, in scopes,
// under clocks.
//
// Two programs evaluate this one definition: the planner (plan.h) with numbers, for one size; and the prover's unfolder
// (verifier/prover/unfold/unfold.h) with formulas, for every size. For example,
//
//     procedure shift(d): for k in processors: send k -> (k + d) mod n
//     for d in 1..3: at 2*d: shift(d)
//     then repeat 2 times: send 0 -> 1
//
// is, with the clocks on the left and the scopes on the right,
//
//     Parts
//       .                   For d in 1..3
//         At 2*d              Call shift with its d bound to d:
//                               For k in processors: Send k -> (k + d) mod n       (a family)
//       .
//         Turns, two          Send 0 -> 1                                          (a family)
//
// Clocks count steps, from 1 on. Each of these nodes relates its body's clock to the clock that it is under:
//     At        the body's first step is the step `step`
//     Parts     each part starts when those before it have arrived
//     Turns     each iteration starts when those before it have arrived
//     Reverse   its step t is the body's step T + 1 - t, T being the step in which the body's last send arrives
//     Discipline  the body's sends start as soon as they can, but not before their step, in the order of a queue
// Scopes (For, If, Let, Call, Relabel, Run) leave the clock as it is: statements side by side start in the same step.
// A statement that sends nothing takes no time, at whatever step it stands.
//
// The core keeps two parts of the written form, for a reason each:
// * The loops around a send stay nested, and statements stay in order (a tree, no list of families). Packets get a
//   lane, or a place in a queue, in the order of their sends, and the order of `for i in A: { send …; send … }` is not
//   that of two loops.
// * Calls are not inlined; they share their procedure's body. A procedure may call itself, so that only an evaluation
//   with values ends, and a chain of k procedures that each call the next one twice would give 2^k copies. A call means
//   its body in a frame of its own, whose first variables are the arguments. Evaluators limit the number of calls that
//   they follow (ElaborateOptions::iterations; most_evaluations in the prover).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir_expression.h"
#include "model/text/source.h"

namespace quadrille::ir {

struct Statement;
using Block = std::vector<Statement>;

// --- clocks --------------------------------------------------------------------------------------------------------

struct At {
  Expression step;  // from 1
  Block body;
};
// The parts into which `then` divides a block: two or more.
struct Parts {
  std::vector<Block> parts;
};
// `for … in turn` has one iteration for each of the bindings' values; `repeat` has as many as the number says, all
// alike.
struct Turns {
  std::variant<std::vector<Binding>, Expression> over;
  Block body;
};
struct Reverse {
  Block body;
};
enum class DisciplineKind : std::uint8_t { fifo, farthest_first };
struct Discipline {
  DisciplineKind kind = DisciplineKind::fifo;
  Block body;
};

// --- scopes --------------------------------------------------------------------------------------------------------

struct For {
  std::vector<Binding> bindings;
  Block body;
};
struct If {
  Expression condition;
  Block then;
  Block otherwise;
};
// A Let gives its variable a value for the rest of its block, including the block's later parts.
struct Let {
  VariableId variable;
  Expression value;
};
struct Call {
  std::variant<ProcedureId, VariableId> callee;  // the latter has a procedure for its value
  std::vector<Expression> arguments;
};
// A mapping of processors, or parts, x -> image.
struct Renaming {
  VariableId variable;  // x
  Expression image;     // a number; of parts, and behind `carrying`, perhaps a set
};
struct Relabel {
  Renaming processors;
  std::optional<Expression> count;  // of processors inside, where it is said
  std::optional<Renaming> parts;
  std::optional<Renaming> packets;  // of origins and targets, if it is not the same
  Block body;
};
// One argument of a line `fabric` or `collective`, or of a `run`.
struct Argument {
  std::string key;  // "" for an unnamed one
  Span span;
  std::vector<Expression> values;      // numbers, or …
  std::optional<std::string> word;     // … a word, or …
  std::optional<ParameterId> pattern;  // … a pattern or list parameter, or …
  std::optional<VariableId>
      index_slot;  // … one value for each level, `values[0]` with the level in this variable, or …
  std::optional<VariableId> second_slot;  // likewise for pairs: parts(s, t)
  std::string factor;                     // … a fabric, as in product(ring(4), line(3)): its kind, and
  std::vector<Argument> inner;            // its arguments: of a product, factors; else each with a value
};
// The statements of another schedule, with values of its parameters. They are sends of this one: what the other's
// packets are here is said where the planner maps them (packet_names.h).
struct Run {
  std::size_t schedule = 0;  // index into Schedule::runs
  std::vector<Argument> arguments;
};

// --- sends ---------------------------------------------------------------------------------------------------------

struct Wait {
  Expression steps, at;
  std::optional<Expression> before;  // the node to which it goes on
};
struct TreeLinks {
  Expression from;
  Expression to;  // node or node set
};
// `carrying held`: the send carries those packets that the sender has when the round begins and for which the condition
// is true.
struct Held {
  VariableId origin, target, part;  // of the packet that the condition is asked of
  std::optional<Expression> condition;
};
struct Send {
  Expression source;              // node
  Expression target;              // node or node set
  std::vector<Expression> along;  // to a node: the nodes between
  std::vector<TreeLinks> links;   // to a node set: those of a tree; none: default routes
  std::vector<Wait> waits;
  std::optional<Expression> origin, addressee,
      part;                   // of the packets, where the file says so: integers, or sets of them
  bool for_everyone = false;  // addressee is `*`
  std::optional<Held> held;
  std::optional<Expression>
      sum;               // the contributions that the sent partial reductions must make up together: a set of integers
  bool keeping = false;  // the receiver keeps the arrival as a partial reduction of its own
};

// Whether the send may carry several packets.
inline bool carries_several(const Send& send) {
  const auto several = [](const std::optional<Expression>& e) { return e && is_set(e->type); };
  return send.held || several(send.origin) || several(send.addressee) || several(send.part);
}

struct Statement {
  std::variant<At, Parts, Turns, Reverse, Discipline, For, If, Let, Call, Relabel, Run, Send> node;
  Span span;
  bool family = false;  // a tree of For, If, Let and Send: all its sends start in the clock's first step
  std::optional<VariableId> innermost;  // the variable in scope that was declared last
};

// --- frames --------------------------------------------------------------------------------------------------------

struct Variable {
  std::string name;
  Type type = Type::integer;
  std::optional<VariableId> outer;  // the one in scope that was declared before it
};

// The variables of a procedure, function or line, in order of declaration: the formal parameters come first. While it
// is evaluated, each has a slot.
struct Frame {
  std::uint32_t size = 0;  // of `variables`
  std::vector<Variable> variables;
};

// Calls visit(VariableId, const Variable&) for each variable that the statement sees, the innermost first.
template <class Visit>
void for_each_in_scope(const Frame& frame, const Statement& statement, const Visit& visit) {
  for (auto id = statement.innermost; id; id = frame.variables[id->value].outer) visit(*id, frame.variables[id->value]);
}

}  // namespace quadrille::ir
