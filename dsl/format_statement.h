// The text of single statements in the canonical layout.
#pragma once

#include <string>

#include "dsl/ast.h"

namespace quadrille::layout {

// The statement, or its header with the colon, on one line; with `then` if it has that.
std::string statement_words(const ast::Statement& statement);

// The block that follows the statement's header; null for a statement without one.
const ast::Block* block_of(const ast::Statement& statement);

}  // namespace quadrille::layout
