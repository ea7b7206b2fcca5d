// A syntax tree as text, places left out: equal texts mean equal trees.
#pragma once

#include <string>

#include "dsl/ast.h"

namespace quadrille::testing {

// For instance (+ 1 (^ 2 n)).
std::string tree_text(const ast::Expression& expression);

// One node a line, children indented; with all comments.
std::string tree_text(const ast::File& file);

}  // namespace quadrille::testing
