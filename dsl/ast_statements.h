// The statements of the syntax tree, and the comments that belong to a line.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dsl/ast_expressions.h"
#include "model/text/source.h"

namespace quadrille::ast {

// An empty line between two whole-line comments stands in their list as this text.
inline constexpr char blank_line[] = "\n";

// Comments that belong to an item or statement: whole lines before it, and one at the end of its (first) line. Texts
// are kept from after `//`, trailing blanks removed.
struct Comments {
  std::vector<std::string> before;
  std::optional<std::string> after;
  bool blank_line_before = false;          // before the comments, or before the statement if there are none
  bool blank_line_after_comments = false;  // between the comments and the statement
};

struct Statement;

// Statements of one block run side by side from the block's first step, except that a statement marked `then` starts,
// with all that follow it, when everything before it in the block has arrived.
struct Block {
  std::vector<Statement> statements;
  std::vector<std::string> trailing_comments;  // whole-line comments after the last statement
  bool blank_line_before_trailing = false;
};

struct At {
  ExpressionPtr step;
  Block body;
};  // at e:
struct For {
  std::vector<Binding> bindings;
  ExpressionPtr condition;  // may be null
  bool in_turn = false;
  Block body;
};  // for x in S, y in R [if c] [in turn]:
struct If {
  ExpressionPtr condition;
  Block then;
  std::optional<Block> otherwise;
};  // else-if is an If alone in `otherwise`
struct LetStatement {
  Name name;
  ExpressionPtr value;
};

// What a send carries; each part may be left to the collective: `carrying origin -> target part p`. Or
// `carrying held if condition`: what the sender has. Or `carrying sum S`: what it forms of the words that it holds.
struct Carrying {
  ExpressionPtr sum, origin, target, part;
  bool everyone = false; /* target is `*` */
  bool held = false;
  ExpressionPtr condition;  // of `held`
};
struct Wait {
  ExpressionPtr steps, at;
  ExpressionPtr before;  // the node to which it goes on; null: any
};                       // waiting 2 at switch(1, 0)      waiting 2 at leaf[0] -> 3

// along a -> b      along a -> {b, c}
struct TreeLinks {
  ExpressionPtr from, to;
};

// send source -> target [along a, b, c] [waiting e at v, …] [carrying …] [keeping]
struct Send {
  ExpressionPtr source;
  ExpressionPtr target;           // a node, or a set of nodes, or `all`
  std::vector<Expression> along;  // the nodes between source and target, in order
  std::vector<TreeLinks> links;   // or, to a set of nodes, the links of a tree from the source
  std::vector<Wait> waits;
  std::optional<Carrying> carrying;
  bool keeping = false;  // what arrives stays a word of its own
};

struct Repeat {
  ExpressionPtr times;
  Block body;
};  // repeat e times:
struct Reverse {
  Block body;
};  // reverse:
// relabel x -> e [of c] [part q -> s] [carrying y -> f]: processor x of the body, which has c processors, is processor
// e; parts of its packets map by s, origins and targets by f (by e if there is no f).
struct Relabel {
  Name variable;
  ExpressionPtr image;
  ExpressionPtr count;  // may be null, as are the other images: nothing is said
  std::optional<Name> part;
  ExpressionPtr part_image;
  std::optional<Name> carried;
  ExpressionPtr carried_image;
  Block body;
};
struct Discipline {
  Name name;
  Block body;
};  // by fifo:, by farthest_first:
// run file(N: e): the statements of an included file
struct Run {
  Name file;  // its path without folders and `.qd`
  std::vector<Argument> arguments;
};
struct CallStatement {
  Name callee;
  std::vector<Expression> arguments;
};

struct Statement {
  std::variant<At, For, If, LetStatement, Send, Repeat, Reverse, Relabel, Discipline, Run, CallStatement> node;
  Span span;          // of the statement without its block's later lines (its header)
  bool then = false;  // `then` stands before it
  Comments comments;
};

}  // namespace quadrille::ast
