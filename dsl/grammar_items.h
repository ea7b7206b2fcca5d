// The grammar's start. No Spirit in it.
#pragma once

#include <vector>

#include "dsl/ast.h"
#include "dsl/parse_state.h"

namespace quadrille::grammar {

// The items of the laid-out text of `state`; errors are left in the state.
std::vector<ast::Item> read_items(ParseState& state);

}  // namespace quadrille::grammar
