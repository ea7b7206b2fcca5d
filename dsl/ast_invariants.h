// What a schedule says that its processors hold, in the syntax tree.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "dsl/ast_expressions.h"
#include "dsl/ast_statements.h"

namespace quadrille::ast {

// held(k [, -> d | -> *] [part p]) == S [when c]      held(…) contains S [when c]
struct HeldStatement {
  ExpressionPtr processor;
  ExpressionPtr target, part;  // may be null
  bool everyone = false;       // target is `*`
  bool at_least = false;       // `contains`
  ExpressionPtr origins;
  ExpressionPtr when;  // may be null
};

struct HeldLoop;
struct HeldItem {
  std::variant<HeldStatement, std::unique_ptr<HeldLoop>> node;
  Span span;
  Comments comments;
};
// for x in S [if c]: …
struct HeldLoop {
  std::vector<Binding> bindings;
  ExpressionPtr condition;  // may be null
  std::vector<HeldItem> items;
  std::vector<std::string> trailing_comments;
  bool blank_line_before_trailing = false;
};

// invariant after t in S: …
struct InvariantDeclaration {
  Binding step;
  std::vector<HeldItem> items;
  std::vector<std::string> trailing_comments;
  bool blank_line_before_trailing = false;
};

}  // namespace quadrille::ast
