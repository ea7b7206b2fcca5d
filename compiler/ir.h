// The IR is a schedule for every size: its names are resolved, its expressions typed and its statements lowered to the
// core (core.h), and nothing is evaluated yet. Elaboration runs it for one size; the prover reads it for all sizes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/core.h"
#include "compiler/ir_invariant.h"
#include "compiler/ir_remainders.h"
#include "model/collective.h"
#include "model/families.h"
#include "model/send_table.h"
#include "model/text/source.h"

namespace quadrille::ir {

struct Parameter {
  std::string name;
  Span span;
  bool pattern = false;  // of capacities; or a set or list of numbers:
  bool set = false;
  bool list = false;
  bool idle = false;                        // an included file's, and nothing refers to it here: it is not asked for
  Frame frame;                              // of its range and default
  std::optional<Expression> range;          // of an integer; perhaps of a set's or list's numbers: an integer set
  std::string range_text;                   // as written
  bool unbounded = false;                   // the range's end stands for none: it is the largest that compiles
  std::optional<Expression> default_value;  // integer parameters; sets
  std::optional<std::string> default_word;  // patterns: "constant" or "exponential"
  std::vector<Expression> default_list;     // patterns given as a list; lists
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

struct FabricLine {
  std::string kind;  // empty: there is no such line
  Span span;         // of the kind; without a line, the end of the file
  std::vector<Argument> arguments;
  Frame frame;
};

// An item of a custom collective's block: a loop, or a chunk inside loops.
struct ChunkItem {
  Span span;
  std::vector<Binding> bindings;  // a loop if not empty …
  std::optional<Expression> condition;
  std::vector<ChunkItem> items;
  std::optional<Expression> origin, target, part, held_by, wanted_by;  // … else a chunk; the last two are integer sets
};

struct CollectiveLine {
  CollectiveKind kind;
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
  std::optional<OptimalMeasure> optimal;  // `claim` is this measure, and the author says that it is the least there is
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
  std::vector<Invariant> invariants;
  Block body;
  Frame frame;                                        // of the body
  std::vector<std::shared_ptr<const Schedule>> runs;  // included files whose statements `run` has
  const Families* families = &standard_families();    // the topologies and collectives that the lines may name
  std::shared_ptr<const Families> own_families;       // the owner of `families`, where the program defines fabrics
  ReadFile read_file;                                 // of a graph that the line `fabric` names
};

}  // namespace quadrille::ir
