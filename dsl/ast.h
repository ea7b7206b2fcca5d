// The syntax tree of a schedule file (its statements, invariants and expressions: ast_*.h): plain
// structs, no parser behind them. It keeps what the formatter needs (comments, blank lines) and the place of
// everything.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dsl/ast_expressions.h"
#include "dsl/ast_invariants.h"
#include "dsl/ast_statements.h"
#include "model/text/source.h"

namespace quadrille::ast {

struct Include {
  std::string path;
  Span path_span;
  std::size_t file = 0;  // index into SourceFiles::files, once it is loaded

  // The path without folders and `.qd`: the name by which `run` knows the file.
  std::string name() const;
};

// param L in 1..62 [= 4]      param N in 2.. [= 4]      param capacity: pattern [= constant | exponential | [1, 2, 2]]
// param sources: set [in 0..7] [= {0, 3}]      param cycle: list [in 0..7] [= [0, 2, 1]]
struct Parameter {
  Name name;
  ExpressionPtr range;     // of a number, or of each of a set's or list's, where it may be null; a pattern has none
  bool unbounded = false;  // `range` is what an endless range begins with
  bool pattern = false;
  ExpressionPtr default_value;           // may be null; a pattern's is a NameUse or, for a list, …
  std::vector<Expression> default_list;  // … these; a list's default, too
  bool set = false;
  bool list = false;
};

// let x = e       let f(a, b: node) = e
struct FormalParameter {
  Name name;
  std::optional<Name> type;
};  // int (default), node, set, bool, procedure
struct Let {
  Name name;
  std::vector<FormalParameter> parameters;
  bool function = false;
  ExpressionPtr value;
};

struct FabricDeclaration {
  Name kind;
  std::vector<Argument> arguments;
};

// switches leaf[leaves], router[groups][4], bus
struct SwitchArray {
  Name name;
  std::vector<Expression> extents;  // none: one switch
};
struct Switches {
  std::vector<SwitchArray> arrays;
};
struct ProcessorCount {
  ExpressionPtr count;
};  // processors e
// 500 ns      25 GB/s
struct Speed {
  ExpressionPtr value;  // may be null: nothing is said
  std::string unit;     // of latency_units() or bandwidth_units() (model/text/quantity.h)
};
// link a -- b [lanes e] [latency e UNIT] [bandwidth e UNIT]      link a -> b …
struct Link {
  ExpressionPtr from, to, lanes;  // lanes may be null: one
  Speed latency, bandwidth;
  bool one_way = false;
};
// route a -> b [when c]: along x, y, z
struct Route {
  Name source, target;
  ExpressionPtr when;  // may be null
  std::vector<Expression> along;
};
struct FabricLoop;
struct FabricItem {
  std::variant<Let, ProcessorCount, Switches, Link, Route, std::unique_ptr<FabricLoop>> node;
  Span span;
  Comments comments;
};
struct FabricLoop {
  std::vector<Binding> bindings;
  ExpressionPtr condition;  // may be null
  std::vector<FabricItem> items;
  std::vector<std::string> trailing_comments;
  bool blank_line_before_trailing = false;
};

// fabric leaf_spine(hosts in 1..4096, leaves, spines = leaves): …
struct FabricDefinition {
  Name name;
  std::vector<Parameter> parameters;
  std::vector<FabricItem> items;
  std::vector<std::string> trailing_comments;
  bool blank_line_before_trailing = false;
};

// A line in the block of `collective custom:`
//   chunk origin [-> target | -> *] [part p] [held by S] [wanted by S]
//   for x in S [if c]: …
struct ChunkDeclaration {
  ExpressionPtr origin, target, part, held_by, wanted_by;  // all but origin may be null
  bool everyone = false;
};
struct ChunkLoop;
struct ChunkItem {
  std::variant<ChunkDeclaration, std::unique_ptr<ChunkLoop>> node;
  Span span;
  Comments comments;
};
struct ChunkLoop {
  std::vector<Binding> bindings;
  ExpressionPtr condition;  // may be null
  std::vector<ChunkItem> items;
  std::vector<std::string> trailing_comments;
  bool blank_line_before_trailing = false;
};

struct CollectiveDeclaration {
  Name kind;
  std::vector<Argument> arguments;
  std::vector<ChunkItem> items;
  std::vector<std::string> trailing_comments;
  bool blank_line_before_trailing = false;
};

struct Procedure {
  Name name;
  std::vector<FormalParameter> parameters;
  Block body;
};

struct ClaimDeclaration {
  bool optimal = false; /* that the measure which follows is the least there is */
  ExpressionPtr claim;
  ExpressionPtr when; /* may be null */
};

struct Item {
  std::variant<Include, Parameter, Let, FabricDeclaration, FabricDefinition, CollectiveDeclaration, Procedure,
               ClaimDeclaration, InvariantDeclaration, Statement>
      node;
  Span span;
  Comments comments;  // a Statement's own comments stay in the statement
};

// One file. The statements among the items are the schedule's body, in order.
struct File {
  std::uint32_t source = 0;  // index into the program's sources
  std::vector<Item> items;
  std::vector<std::string> trailing_comments;
  bool blank_line_before_trailing = false;
};

// A file and everything that it includes, in the order first met; files[0] is the file itself.
struct SourceFiles {
  Sources sources;
  std::vector<File> files;
};

}  // namespace quadrille::ast
