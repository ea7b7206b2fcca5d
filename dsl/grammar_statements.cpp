// The grammar of statements and blocks. A statement reads up to and with the mark that ends its line or block.
//
// A block is lines between an opening and a closing mark, or one statement on the header's line: `at 1: send 0 -> 1` is
// an At whose body is read by inline_statement. An `if` is two rules, since only one that starts its line may have an
// `else`: in `for k in S: if a: f()` with `else: g()` below, the `else` has no `if` of its own line and is a mistake,
// not a guess. Cost: linear in the text.
#include "dsl/grammar_statements.h"

#include "dsl/grammar_blocks.h"
#include "dsl/grammar_declarations.h"
#include "dsl/grammar_expressions.h"

namespace quadrille::grammar {
namespace {

const auto trailing_comments = [](auto& context) {
  TrailingComments trailing = state_of(context).trailing_at(x3::_where(context).begin());
  x3::_val(context).trailing_comments = std::move(trailing.texts);
  x3::_val(context).blank_line_before_trailing = trailing.blank_line_before;
};
const auto statement = into<&ast::Block::statements>;
const auto branch = [](auto& context) { attach(x3::_val(context), std::move(x3::_attr(context))); };
const auto lone_if = [](auto& context) {
  ElseBranch& result = x3::_val(context);
  result.same_line = true;
  result.block.statements.push_back(std::move(x3::_attr(context)));
};

// --- statements that end with their line --------------------------------------------------------------------------

const x3::rule<class LetStatementId, ast::LetStatement> let_value = "let";
const x3::rule<class SendId, ast::Send> send = "send";
const x3::rule<class WaitId, ast::Wait> wait = "a wait";
const x3::rule<class AlongId, ast::TreeLinks> along = "a node";
const x3::rule<class CarryingId, ast::Carrying> carrying = "carrying";
const x3::rule<class RunId, ast::Run> run = "run";
const x3::rule<class CallId, ast::CallStatement> call = "a call";

const auto let_value_def = word("let") > name[into<&ast::LetStatement::name>] >
                           described(equals, "'=' after the name") > expression[into<&ast::LetStatement::value>];

const auto wait_def = expression[into<&ast::Wait::steps>] >
                      described(word("at"), "'at' after the number of steps") > expression[into<&ast::Wait::at>] >
                      -(arrow > expression[into<&ast::Wait::before>]);

// A node of a path; or, with `->` behind it, links of a tree.
const auto along_def = expression[into<&ast::TreeLinks::from>] > -(arrow > expression[into<&ast::TreeLinks::to>]);
const auto node_or_links = [](auto& context) {
  ast::TreeLinks& read = x3::_attr(context);
  if (read.to) {
    put(context, x3::_val(context).links, std::move(read));
  } else {
    put(context, x3::_val(context).along, std::move(*read.from));
  }
};

const auto carried_target = arrow > described(x3::lit('*')[set<&ast::Carrying::everyone>] |
                                                  expression[into<&ast::Carrying::target>],
                                              "an expression or '*' after '->'");
const auto carried_part = word("part") > expression[into<&ast::Carrying::part>];
// What follows tells which parts there are: `->` and `part` begin no expression, so an origin is all else.
const auto carried_held = word("held")[set<&ast::Carrying::held>] >
                          -(word("if") > expression[into<&ast::Carrying::condition>]);
// `sum` is a name, too, of a fold: it means this where a set follows, which no expression goes on with.
const auto carried_sum =
    (word("sum") >> &('{' | name)) > expression[into<&ast::Carrying::sum>] > -carried_target > -carried_part;
const auto carrying_def = word("carrying") >
                          described((carried_target >> -carried_part) | carried_part | carried_held | carried_sum |
                                        (expression[into<&ast::Carrying::origin>] >> -carried_target >> -carried_part),
                                    "an origin, '->', 'part', 'held' or 'sum' after 'carrying'");

const auto send_def = word("send") > expression[into<&ast::Send::source>] >
                      described(arrow, "'->' after the source") > expression[into<&ast::Send::target>] >
                      -(word("along") > along[node_or_links] > *(',' > along[node_or_links])) >
                      -(word("waiting") > wait[into<&ast::Send::waits>] > *(',' > wait[into<&ast::Send::waits>])) >
                      -carrying[into<&ast::Send::carrying>] > -word("keeping")[set<&ast::Send::keeping>];

// `run(` is a call: elsewhere `run` is a name.
const auto run_def = (word("run") >> !x3::lit('(')) > name[into<&ast::Run::file>] >
                     -(&x3::lit('(') > arguments[into<&ast::Run::arguments>]);

// Only a name with a parenthesis is a call; `x = 1` shall not be reported as a call without one.
const auto call_def = (&(name >> '(') >> name[into<&ast::CallStatement::callee>]) > '(' >
                      described(x3::lit(')') | (expression[into<&ast::CallStatement::arguments>] >
                                                *(',' > expression[into<&ast::CallStatement::arguments>]) > closing),
                                "an expression or ')'");

// --- statements with a block --------------------------------------------------------------------------------------

const x3::rule<class AtId, ast::At> at = "at";
const x3::rule<class ForId, ast::For> loop = "for";
const x3::rule<class IfId, ast::If> full_if = "if";         // at the start of a line: may have an `else`
const x3::rule<class InlineIfId, ast::If> short_if = "if";  // after a header: cannot
const x3::rule<class RepeatId, ast::Repeat> repeat = "repeat";
const x3::rule<class ReverseId, ast::Reverse> reverse = "reverse";
const x3::rule<class RelabelId, ast::Relabel> relabel = "relabel";
const x3::rule<class DisciplineId, ast::Discipline> discipline = "by";

const auto at_def = word("at") > expression[into<&ast::At::step>] >
                    colon("':' after the step") > block[into<&ast::At::body>];

const auto loop_def = word("for") > bindings[into<&ast::For::bindings>] >
                      -(word("if") > expression[into<&ast::For::condition>]) >
                      -(word("in") > described(word("turn"), "'turn' after 'in'")[set<&ast::For::in_turn>]) >
                      colon("':' after the loop's range") > block[into<&ast::For::body>];

const auto short_if_def = word("if") > expression[into<&ast::If::condition>] >
                          colon("':' after the condition") > block[into<&ast::If::then>];

const auto repeat_def = word("repeat") > expression[into<&ast::Repeat::times>] >
                        described(word("times"), "'times' after the number") >
                        colon("':' after 'times'") > block[into<&ast::Repeat::body>];

const auto reverse_def = word("reverse") > colon("':' after 'reverse'") > block[into<&ast::Reverse::body>];

const auto relabel_def = word("relabel") > name[into<&ast::Relabel::variable>] >
                         described(arrow, "'->' after the name") > expression[into<&ast::Relabel::image>] >
                         -(word("of") > expression[into<&ast::Relabel::count>]) >
                         -(word("part") > name[into<&ast::Relabel::part>] > described(arrow, "'->' after the name") >
                           expression[into<&ast::Relabel::part_image>]) >
                         -(word("carrying") > name[into<&ast::Relabel::carried>] >
                           described(arrow, "'->' after the name") > expression[into<&ast::Relabel::carried_image>]) >
                         colon("':' after the new label") > block[into<&ast::Relabel::body>];

const auto discipline_def = word("by") > name[into<&ast::Discipline::name>] >
                            colon("':' after the discipline's name") > block[into<&ast::Discipline::body>];

// --- a statement wherever it may stand ----------------------------------------------------------------------------

const x3::rule<class InlineId, ast::Statement> inline_statement = "a statement";
const x3::rule<class ElseIfId, ast::Statement> else_if = "if";
const x3::rule<class ElseId, ElseBranch> else_branch = "else";

const auto then_mark = -word("then")[set<&ast::Statement::then>] >> x3::eps[header_begins];

const auto simple = ((send[node] | let_value[node] | run[node] | call[node]) >> x3::eps[header_ends]) > line_end;
const auto compound = at[node] | loop[node] | repeat[node] | reverse[node] | relabel[node] | discipline[node];

const auto inline_statement_def = nested[then_mark >> described(short_if[node] | compound | simple, "a statement")];

const auto line_def =
    nested[x3::eps[comments] > then_mark > described(full_if[node] | compound | simple, "a statement")];

const auto else_if_def = nested[x3::eps[header_begins] >> full_if[node]];
const auto same_line = &x3::lit(Mark::open) | x3::eps[set<&ElseBranch::same_line>];
const auto else_branch_def = (x3::eps[comments] >> word("else")) >
                             described(else_if[lone_if] | (x3::lit(':') > same_line > block[into<&ElseBranch::block>]),
                                       "':' or 'if' after 'else'");
const auto full_if_def = word("if") > expression[into<&ast::If::condition>] >
                         colon("':' after the condition") > block[into<&ast::If::then>] > -else_branch[branch];

const auto ends_block = x3::lit(Mark::close);
const auto block_of_lines = x3::lit(Mark::open) >
                            +(!ends_block >> !x3::eoi >> line[statement]) > x3::eps[trailing_comments] > ends_block;
const auto block_def = block_of_lines | (described(inline_statement, "a statement")[statement]);

BOOST_SPIRIT_DEFINE(let_value, send, wait, along, carrying, run, call, at, loop, full_if, short_if, repeat, reverse,
                    relabel, discipline)
BOOST_SPIRIT_DEFINE(inline_statement, else_if, else_branch)

}  // namespace

BOOST_SPIRIT_DEFINE(line, block)

BOOST_SPIRIT_INSTANTIATE(LineRule, TextIterator, GrammarContext)
BOOST_SPIRIT_INSTANTIATE(BlockRule, TextIterator, GrammarContext)

}  // namespace quadrille::grammar
