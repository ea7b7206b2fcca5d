// The one canonical layout of a schedule file.
#pragma once

#include <string>

#include "dsl/ast.h"

namespace quadrille {

// The file in canonical layout: parsing the result gives the same tree (places apart), and formatting that gives the
// same text. Comments and single blank lines stay.
std::string format(const ast::File& file);

// An invariant on one line, from `after` on; a long one ends behind its header.
std::string format(const ast::InvariantDeclaration& invariant);

// An expression on one line, with no more parentheses than needed.
std::string format(const ast::Expression& expression);

}  // namespace quadrille
