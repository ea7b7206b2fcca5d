// The grammar of invariants: `invariant after t in 0..3: for k in processors: held(k, part 0) == {0 .. t}`.
//
// Only `invariant` and `held` are words of their own; `after` and `contains` are names everywhere else. A number behind
// the processor, `held(k, p)`, is its part. Cost: linear in the text.
#include "dsl/grammar_blocks.h"
#include "dsl/grammar_declarations.h"
#include "dsl/grammar_expressions.h"
#include "dsl/grammar_statements.h"

namespace quadrille::grammar {
namespace {

const auto contents = [](auto& context) { attach(x3::_val(context), std::move(x3::_attr(context))); };
const auto loop_node = [](auto& context) {
  x3::_val(context).node = std::make_unique<ast::HeldLoop>(std::move(x3::_attr(context)));
};

// --- single lines -------------------------------------------------------------------------------------------------

const x3::rule<class HeldId, ast::HeldStatement> held = "held";

const auto part = expression[into<&ast::HeldStatement::part>];
const auto target = arrow > described(x3::lit('*')[set<&ast::HeldStatement::everyone>] |
                                          expression[into<&ast::HeldStatement::target>],
                                      "an expression or '*' after '->'") > -(word("part") > part);
const auto which = described(target | (word("part") > part) | part, "'->', 'part' or an expression");
const auto relation = described(x3::lit("==") | word("contains")[set<&ast::HeldStatement::at_least>],
                                "'==' or 'contains' after what is held");

const auto held_def = word("held") >
                      described(x3::lit('('), "'(' after 'held'") > expression[into<&ast::HeldStatement::processor>] >
                      -(',' > which) > closing > relation > expression[into<&ast::HeldStatement::origins>] >
                      -(word("when") > expression[into<&ast::HeldStatement::when>]);

// --- blocks -------------------------------------------------------------------------------------------------------

struct HeldLineId : LineErrors {};
const x3::rule<HeldLineId, ast::HeldItem> held_line = "'held' or 'for'";
const x3::rule<class InlineHeldId, ast::HeldItem> inline_item = "'held' or 'for'";
const x3::rule<class HeldLoopId, ast::HeldLoop> loop = "for";
const x3::rule<class HeldBlockId, HeldBlock> held_block = "'held', 'for' or an indented block";

const auto loop_def = word("for") > bindings[into<&ast::HeldLoop::bindings>] >
                      -(word("if") > expression[into<&ast::HeldLoop::condition>]) >
                      colon("':' after the loop's range") > held_block[contents];

const auto any_item = described(((held[node] >> x3::eps[header_ends]) > line_end) | loop[loop_node], "'held' or 'for'");
const auto held_line_def = nested[x3::eps[comments] > x3::eps[header_begins] > any_item];
const auto inline_item_def = nested[x3::eps[header_begins] >> any_item];

const auto ends_block = x3::lit(Mark::close);
const auto lines = x3::lit(Mark::open) >
                   +(!ends_block >> !x3::eoi >> held_line[into<&HeldBlock::items>]) > x3::eps[trailing] > ends_block;
const auto held_block_def = lines | inline_item[into<&HeldBlock::items>];

const x3::rule<class StepBindingId, ast::Binding> step = "a name";
const auto step_def = name[into<&ast::Binding::variable>] >
                      described(word("in"), "'in' after the step's variable") > expression[into<&ast::Binding::set>];

BOOST_SPIRIT_DEFINE(held, held_line, inline_item, loop, held_block, step)

}  // namespace

const auto invariant_def = word("invariant") >
                           described(word("after"),
                                     "'after' behind 'invariant'") > step[into<&ast::InvariantDeclaration::step>] >
                           colon("':' after the steps") > held_block[contents];

BOOST_SPIRIT_DEFINE(invariant)
BOOST_SPIRIT_INSTANTIATE(InvariantRule, TextIterator, GrammarContext)

}  // namespace quadrille::grammar
