// The grammar of a file: declarations, procedures, claims, and the statements among them (invariants:
// grammar_invariants.cpp).
//
// The input is the layout's text, in which indentation has become marks (layout.h). `>` in place of `>>` is a point of
// no return: after `param` a name must follow, and if it does not, the rule's description is what the message says was
// expected. Each item is a line for the error handler (LineErrors), which reports and goes on after it, so the grammar
// needs no rules for recovery. Cost: linear in the text; the longest look-ahead is seven tokens, for an argument's key.
#include "dsl/grammar_items.h"

#include <fmt/format.h>

#include <array>

#include "dsl/grammar_blocks.h"
#include "dsl/grammar_declarations.h"
#include "dsl/grammar_expressions.h"
#include "dsl/grammar_statements.h"

namespace quadrille::grammar {
namespace {

const auto chunks = [](auto& context) { attach(x3::_val(context), std::move(x3::_attr(context))); };
const auto chunk_loop = [](auto& context) {
  x3::_val(context).node = std::make_unique<ast::ChunkLoop>(std::move(x3::_attr(context)));
};

// --- one-line items -----------------------------------------------------------------------------------------------

const auto quoted = [](auto& context) {
  const auto& range = x3::_attr(context);
  x3::_val(context).path.assign(range.begin() + 1, range.end() - 1);
  x3::_val(context).path_span = state_of(context).span(range.begin(), range.end());
};

const x3::rule<class IncludeId, ast::Include> include = "include";
const auto include_def = word("include") >
                         described(x3::raw[x3::lexeme['"' >> *~x3::char_('"') >> '"']], "a path in quotes")[quoted];

const x3::rule<class ListId, std::vector<ast::Expression>> list = "a list";
const auto list_def = '[' > expression[element] > *(',' > expression[element]) > described(x3::lit(']'), "',' or ']'");

const x3::rule<class PatternNameId, ast::Expression> pattern_name = "a name";
const auto name_use = [](auto& context) {
  x3::_val(context) = {ast::NameUse{x3::_attr(context).text}, x3::_attr(context).span};
};
const auto pattern_name_def = name[name_use];

const x3::rule<class ParameterId, ast::Parameter> parameter = "param";
const auto pattern = word("pattern")[set<&ast::Parameter::pattern>] >
                     -(equals > described(list[into<&ast::Parameter::default_list>] |
                                              pattern_name[into<&ast::Parameter::default_value>],
                                          "a pattern's name or a list in '[…]'"));
const auto their_range = -(word("in") > expression[into<&ast::Parameter::range>]);
const auto set_of_numbers = word("set")[set<&ast::Parameter::set>] > their_range >
                            -(equals > expression[into<&ast::Parameter::default_value>]);
const auto list_of_numbers = word("list")[set<&ast::Parameter::list>] > their_range >
                             -(equals > described(list[into<&ast::Parameter::default_list>], "a list in '[…]'"));
const auto of_a_kind = x3::lit(':') >
                       described(pattern | set_of_numbers | list_of_numbers, "'pattern', 'set' or 'list'");
// Only here may a range have no end.
const auto allow_endless = [](auto& context) { state_of(context).endless_allowed = true; };
const auto refuse_endless = [](auto& context) { state_of(context).endless_allowed = false; };
const auto integer = word("in") > x3::eps[allow_endless] > expression[into<&ast::Parameter::range>] >
                     x3::eps[refuse_endless] > -x3::lit("..")[set<&ast::Parameter::unbounded>] >
                     -(equals > expression[into<&ast::Parameter::default_value>]);
const auto parameter_def = word("param") > name[into<&ast::Parameter::name>] >
                           described(integer | of_a_kind, "'in' or ':' after the parameter's name");

const auto known_type = [](auto& context) {
  static const std::vector<std::string> types = {"int", "bool", "node", "set", "procedure"};
  const ast::Name& type = x3::_attr(context);
  for (const std::string& known : types) {
    if (type.text == known) {
      x3::_val(context).type = type;
      return;
    }
  }
  const auto near = nearest(type.text, types);
  fail(state_of(context), x3::_where(context).begin(),
       error_at(type.span,
                fmt::format("unknown type '{}'; {}", type.text,
                            near ? fmt::format("did you mean '{}'?", *near)
                                 : "the types are int, bool, node, set and procedure"),
                Code::name));
};

const auto procedure_word = [](auto& context) {
  const auto& range = x3::_attr(context);
  x3::_val(context).type = ast::Name{"procedure", state_of(context).span(range.begin(), range.end())};
};

const x3::rule<class FormalId, ast::FormalParameter> formal = "a name";
const auto formal_def = name[into<&ast::FormalParameter::name>] >>
                        -(':' > described(x3::raw[word("procedure")][procedure_word] | name[known_type], "a type"));
const x3::rule<class FormalsId, std::vector<ast::FormalParameter>> formals = "parameters";
const auto formals_def = '(' > described(x3::lit(')') | (formal[element] > *(',' > formal[element]) > closing),
                                         "a name or ')'");

const auto let_words = word("let") > name[into<&ast::Let::name>] >
                       -formals[into<&ast::Let::parameters>][set<&ast::Let::function>] >
                       described(equals, "'=' after the name") > expression[into<&ast::Let::value>];

const x3::rule<class ClaimId, ast::ClaimDeclaration> claim = "claim";
// `optimal` before a name says something of it; elsewhere it is a name itself.
const auto claim_def = word("claim") >
                       -(&(word("optimal") >> name) >> word("optimal")[set<&ast::ClaimDeclaration::optimal>]) >
                       expression[into<&ast::ClaimDeclaration::claim>] >
                       -(word("when") > expression[into<&ast::ClaimDeclaration::when>]);

// `key: e`, `key(i): e`, `key(s, t): e` or `e`: told apart by at most seven tokens.
const x3::rule<class ArgumentId, ast::Argument> argument = "an argument";
const auto key_ahead = &(name >> -('(' >> name >> -(',' >> name) >> ')') >> ':');
const auto key = name[into<&ast::Argument::key>] > -('(' > name[into<&ast::Argument::variable>] >
                                                     -(',' > name[into<&ast::Argument::second_variable>]) > ')') > ':';
const auto argument_def =
    placed[-(key_ahead >> key) >> (list[into<&ast::Argument::values>] | expression[into<&ast::Argument::values>])];

const auto arguments_words = '(' > described(x3::lit(')') | (argument[element] > *(',' > argument[element]) > closing),
                                             "an argument or ')'");

const x3::rule<class FabricId, ast::FabricDeclaration> fabric = "fabric";
const auto fabric_def =
    word("fabric") > name[into<&ast::FabricDeclaration::kind>] > -arguments[into<&ast::FabricDeclaration::arguments>];

// --- items with a block -------------------------------------------------------------------------------------------

struct ChunkLineId : LineErrors {};
const x3::rule<class ChunkId, ast::ChunkDeclaration> chunk = "chunk";
const x3::rule<class ChunkLoopId, ast::ChunkLoop> chunk_for = "for";
const x3::rule<class ChunkBlockId, ChunkBlock> chunk_block = "a chunk or an indented block";
const x3::rule<ChunkLineId, ast::ChunkItem> chunk_line = "a chunk";
const x3::rule<class InlineChunkId, ast::ChunkItem> inline_chunk = "a chunk";

const auto chunk_target = arrow > described(x3::lit('*')[set<&ast::ChunkDeclaration::everyone>] |
                                                expression[into<&ast::ChunkDeclaration::target>],
                                            "an expression or '*' after '->'");
const auto chunk_def = word("chunk") > expression[into<&ast::ChunkDeclaration::origin>] > -chunk_target >
                       -(word("part") > expression[into<&ast::ChunkDeclaration::part>]) >
                       -(word("held") > described(word("by"), "'by' after 'held'") >
                         expression[into<&ast::ChunkDeclaration::held_by>]) >
                       -(word("wanted") > described(word("by"), "'by' after 'wanted'") >
                         expression[into<&ast::ChunkDeclaration::wanted_by>]);

const auto chunk_for_def = word("for") > bindings[into<&ast::ChunkLoop::bindings>] >
                           -(word("if") > expression[into<&ast::ChunkLoop::condition>]) >
                           colon("':' after the loop's range") > chunk_block[chunks];

const auto any_chunk =
    described(((chunk[node] >> x3::eps[header_ends]) > line_end) | chunk_for[chunk_loop], "'chunk' or 'for'");
const auto chunk_line_def = nested[x3::eps[comments] > x3::eps[header_begins] > any_chunk];
const auto inline_chunk_def = nested[x3::eps[header_begins] >> any_chunk];

const auto ends_block = x3::lit(Mark::close);
const auto chunk_lines = x3::lit(Mark::open) > +(!ends_block >> !x3::eoi >>
                                                 chunk_line[into<&ChunkBlock::items>]) > x3::eps[trailing] > ends_block;
const auto chunk_block_def = chunk_lines | inline_chunk[into<&ChunkBlock::items>];

const x3::rule<class CollectiveId, ast::CollectiveDeclaration> collective = "collective";
const auto collective_def = word("collective") > name[into<&ast::CollectiveDeclaration::kind>] >
                            -arguments[into<&ast::CollectiveDeclaration::arguments>] > x3::eps[header_ends] >
                            described((x3::lit(':') > chunk_block[chunks]) | x3::lit(Mark::line), "end of line");

const x3::rule<class ProcedureId, ast::Procedure> procedure = "procedure";
const auto procedure_def = word("procedure") > name[into<&ast::Procedure::name>] >
                           described(formals, "'(' after the procedure's name")[into<&ast::Procedure::parameters>] >
                           colon("':' after the parameters") > block[into<&ast::Procedure::body>];

// --- the file -----------------------------------------------------------------------------------------------------

struct ItemId : LineErrors {};
const x3::rule<ItemId, ast::Item> item = "an item";
const x3::rule<class DeclarationId, ast::Item> declaration = "a declaration";
const x3::rule<class ItemsId, std::vector<ast::Item>> items = "items";

// The alternatives begin with different words, so the first token decides.
const auto one_line = include[node] | parameter[node] | let[node] | fabric[node] | claim[node];
const auto declaration_def = nested[x3::eps[comments] >> x3::eps[header_begins] >>
                                    (fabric_definition[node] | ((one_line >> x3::eps[header_ends]) > line_end) |
                                     collective[node] | procedure[node] | invariant[node])];

const auto statement = [](auto& context) {
  x3::_val(context).span = x3::_attr(context).span;
  x3::_val(context).node = std::move(x3::_attr(context));
};
const auto item_def = declaration[whole] | line[statement];
const auto items_def = *(!x3::eoi >> item[element]);

BOOST_SPIRIT_DEFINE(include, list, pattern_name, parameter, formal, formals, claim, argument, fabric)
BOOST_SPIRIT_DEFINE(chunk, chunk_for, chunk_block, chunk_line, inline_chunk, collective, procedure)
BOOST_SPIRIT_DEFINE(item, declaration, items)

}  // namespace

const auto let_def = let_words;
const auto arguments_def = arguments_words;

BOOST_SPIRIT_DEFINE(let, arguments)
BOOST_SPIRIT_INSTANTIATE(ArgumentsRule, TextIterator, GrammarContext)
BOOST_SPIRIT_INSTANTIATE(LetRule, TextIterator, GrammarContext)

std::vector<ast::Item> read_items(ParseState& state) {
  std::vector<ast::Item> result;
  TextIterator first = state.begin();
  try {
    x3::phrase_parse(first, state.end(), x3::with<StateTag>(state)[items], blanks, result);
  } catch (const x3::expectation_failure<TextIterator>& failure) {  // between two lines: the list itself may not grow
    state.report(failure.where(), failure.where(), failure.which());
  }
  return result;
}

}  // namespace quadrille::grammar
