// Writes a schedule's expressions for a reader who does not have the schedule: only its parameters and the language's
// own words stand there.
#pragma once

#include <optional>
#include <string>

#include "compiler/ir.h"

namespace quadrille::driver {

// Whether the expression names something that the schedule defines by `let`.
bool has_definitions(const ir::Expression& expression);

// The expression's text with the value of each definition in place of its name. For `let before = if N > P then 1 else
// 0` and `let P = 2^log2(N)`, `2*before` is "2*(if N > 2^log2(N) then 1 else 0)". Nothing if it would be long, or if a
// part of it has no text. `frame`: the expression's.
std::optional<std::string> plain_text(const ir::Expression& expression, const ir::Frame& frame,
                                      const ir::Schedule& schedule);

}  // namespace quadrille::driver
