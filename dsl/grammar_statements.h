// The rules of grammar_statements.cpp that items use.
#pragma once

#include "dsl/grammar_config.h"

namespace quadrille::grammar {

// An error within a line is reported there; reading goes on after the line and its block.
struct LineErrors {
  template <class Ctx>
  x3::error_handler_result on_error(TextIterator& first, const TextIterator&,
                                    const x3::expectation_failure<TextIterator>& failure, const Ctx& context) {
    ParseState& state = state_of(context);
    state.report(first, failure.where(), failure.which());
    first = state.after_line(first);
    return x3::error_handler_result::accept;
  }
};

struct LineId : LineErrors {};
using LineRule = x3::rule<LineId, ast::Statement>;
using BlockRule = x3::rule<class BlockId, ast::Block>;

const LineRule line = "a statement";  // a statement at the start of a line
const BlockRule block = "a statement or an indented block";

BOOST_SPIRIT_DECLARE(LineRule, BlockRule)

const auto line_end = described(x3::lit(Mark::line), "end of line");

}  // namespace quadrille::grammar
