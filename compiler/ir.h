// The schedule for every size: the syntax tree with every name resolved and every expression typed, nothing yet
// evaluated. Elaboration runs it for one size; the prover reads it for all sizes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/collective.h"
#include "model/source.h"

namespace quadrille::ir {

// Nodes and integers are different types; a conversion between them is an operation of its own (Op::to_node,
// to_integer).
enum class Type : std::uint8_t { integer, boolean, node, integer_set, node_set, procedure };
std::string_view to_string(Type type);
constexpr bool is_set(Type type) { return type == Type::integer_set || type == Type::node_set; }

enum class Op : std::uint8_t {
  literal,    // `number` (booleans: 0 or 1)
  local,      // slot `number` of the frame
  parameter,  // integer parameter `number`
  constant,   // let without parameters, `number`
  // operands: one or two
  negate,
  logical_not,
  logical_or,
  logical_xor,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  conditional,     // operands: condition, then, otherwise
  call_function,   // let with parameters, `number`; operands: arguments
  call_pattern,    // pattern parameter `number`; operand: the level, from 1
  call_builtin,    // Builtin(number); operands: arguments
  to_node,         // integer -> processor of that number; out of range is the user's mistake
  to_integer,      // processor -> its number; a switch is the user's mistake
  procedure_name,  // procedure `number`, as an argument
  // sets
  range_up,
  range_down,         // operands: first, last
  set_literal,        // operands: elements
  set_comprehension,  // bindings; operands: element[, condition]
  fold                // Fold(number); bindings; operands: element[, condition]
};

enum class Builtin : std::uint8_t {
  processor_count,
  processors,
  all,
  levels,
  switches,
  switch_at,
  parent,
  level,
  neighbours,
  leaves,
  lca,
  distance,
  capacity_at,
  log2,
  ceil_div,
  sqrt,
  reverse_bits,
  gcd,
  abs,
  min,
  max,
  size,
  steps,
  messages,
  rows,
  max_queue  // claims only
};

enum class Fold : std::uint8_t { sum, min, max, count, all, any };

struct Expression;

// One `x in set`: x lives in slot `slot` of the frame.
struct Binding {
  std::string name;
  std::uint32_t slot = 0;
  std::vector<Expression> set;  // exactly one
};

struct Expression {
  Op op = Op::literal;
  Type type = Type::integer;
  Span span;
  std::int64_t number = 0;
  std::vector<Expression> operands;
  std::vector<Binding> bindings;
};

struct Statement;
using Block = std::vector<Statement>;

struct At {
  Expression step;
  Block body;
};
struct For {
  std::vector<Binding> bindings;
  bool in_turn = false;
  Block body;
};
struct If {
  Expression condition;
  Block then;
  Block otherwise;
};
struct Let {
  std::uint32_t slot = 0;
  Expression value;
};

struct Wait {
  Expression steps, at;
};
struct Send {
  Expression source;  // node
  Expression target;  // node or node set
  std::vector<Expression> along;
  std::vector<Wait> waits;
  std::optional<Expression> origin, addressee, part;  // of the packet, where the file says so (integers)
  bool for_everyone = false;                          // addressee is `*`
};

struct Repeat {
  Expression times;
  Block body;
};
struct Reverse {
  Block body;
};
struct Relabel {
  std::uint32_t slot = 0;
  Expression image;  // of the processor in `slot`
  std::optional<std::uint32_t> carried_slot;
  std::optional<Expression> carried_image;  // of a packet's origin or target in `carried_slot`
  Block body;
};
enum class DisciplineKind : std::uint8_t { fifo, farthest_first };
struct Discipline {
  DisciplineKind kind = DisciplineKind::fifo;
  Block body;
};
// The procedure `procedure`, or the one in slot `slot`.
struct Call {
  std::optional<std::uint32_t> procedure;
  std::uint32_t slot = 0;
  std::vector<Expression> arguments;
};

struct Statement {
  std::variant<At, For, If, Let, Send, Repeat, Reverse, Relabel, Discipline, Call> node;
  Span span;
  bool then = false;                       // starts when everything before it in its block has arrived
  bool uniform = false;                    // every send within starts at the statement's first step
  std::optional<std::uint32_t> innermost;  // slot of the variable in scope that was declared last
};

// A variable of a frame: name and slot, in order of declaration.
struct Variable {
  std::string name;
  std::uint32_t slot = 0;
  Type type = Type::integer;
  std::optional<std::uint32_t> outer;  // slot of the one in scope that was declared before it
};

// Slots 0 … size-1; the formal parameters come first. Variable i has slot i.
struct Frame {
  std::uint32_t size = 0;
  std::vector<Variable> variables;
};

// The variables that the statement sees, the innermost first: calls visit(const Variable&) for each.
template <class Visit>
void for_each_in_scope(const Frame& frame, const Statement& statement, const Visit& visit) {
  for (auto slot = statement.innermost; slot; slot = frame.variables[*slot].outer) visit(frame.variables[*slot]);
}

struct Parameter {
  std::string name;
  Span span;
  bool pattern = false;
  bool idle = false;                        // an included file's, and nothing refers to it here: it is not asked for
  Frame frame;                              // of its range and default
  std::optional<Expression> range;          // integer parameters: an integer set
  std::string range_text;                   // as written
  std::optional<Expression> default_value;  // integer parameters
  std::optional<std::string> default_word;  // patterns: "constant" or "exponential"
  std::vector<Expression> default_list;     // patterns given as a list
};

struct Constant {
  std::string name;
  Span span;
  Expression value;
  Frame frame;
};
struct Function {
  std::string name;
  Span span;
  std::vector<Type> formals;
  Expression value;
  Frame frame;
};
struct Procedure {
  std::string name;
  Span span;
  std::vector<Type> formals;
  Block body;
  Frame frame;
};

// One argument of a `fabric` or `collective` line.
struct Argument {
  std::string key;  // "" for an unnamed one
  Span span;
  std::vector<Expression> values;           // numbers, or …
  std::optional<std::string> word;          // … a word, or …
  std::optional<std::uint32_t> pattern;     // … a pattern parameter, or …
  std::optional<std::uint32_t> index_slot;  // … one value for each level, `values[0]` with the level in this slot
};

struct FabricLine {
  std::string kind;
  Span span;
  std::vector<Argument> arguments;
  Frame frame;
};

// What a custom collective's block says: chunks inside loops.
struct ChunkItem {
  Span span;
  std::vector<Binding> bindings;  // a loop if not empty …
  std::optional<Expression> condition;
  std::vector<ChunkItem> items;
  std::optional<Expression> origin, target, part, held_by, wanted_by;  // … else a chunk; the last two are integer sets
};

struct CollectiveLine {
  CollectiveKind kind = CollectiveKind::broadcast;
  Span span;
  std::vector<Argument> arguments;
  std::vector<ChunkItem> chunks;
  Frame frame;
};

struct Claim {
  std::string text;
  std::array<std::string, 2> sides;  // the texts of a comparison's two sides; empty for other claims
  Span span;
  Expression claim;
  std::optional<Expression> when;
  Frame frame;
};

struct Schedule {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Constant> constants;
  std::vector<Function> functions;
  std::vector<Procedure> procedures;
  FabricLine fabric;
  CollectiveLine collective;
  std::vector<Claim> claims;
  Block body;
  Frame frame;  // of the body
};

}  // namespace quadrille::ir
