// The grammar of expressions. Each alternative is decided by its first token; precedence is left to fold().
// For example, `a + b*c` is read as the chain a, +, b, *, c, which fold() (operators.h) makes a tree; `{d for d in
// processors if d/M != k/M}` is known for a comprehension at its `for`, after the element has been read. Cost: linear
// in the text; the depth of brackets is limited, for each is a call.
#include "dsl/grammar_expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "dsl/operators.h"
#include "model/text/quantity.h"

namespace quadrille::grammar {
namespace {

// --- parts that are not nodes of the tree --------------------------------------------------------------------------

// Between brackets: `e, e, …`, or `e for x in S if c`.
struct Elements {
  std::vector<ast::Expression> list;
  std::vector<ast::Binding> bindings;  // none: a plain list
  ast::ExpressionPtr condition;
};

// A name, perhaps called, or with indices.
struct Invocation {
  ast::Name name;
  bool called = false;
  Elements arguments;
  std::vector<ast::Expression> indices;
};

struct Digits {
  std::int64_t value = 0;
  Span span;
};

// --- actions ------------------------------------------------------------------------------------------------------

// A keyword is no name: the rule fails, and the message says what was met.
const auto spell = [](auto& context) {
  const auto& range = x3::_attr(context);
  const std::string_view text(range.begin(), static_cast<std::size_t>(range.end() - range.begin()));
  x3::_pass(context) = !is_keyword(text);
  x3::_val(context).text = text;
  x3::_val(context).span = state_of(context).span(range.begin(), range.end());
};

// What extents are written like, if that is what runs into the number `4x4`: "; extents are written '[4, 4]'".
std::string extents_hint(std::string_view text) {
  const std::string_view all = text.substr(0, text.find_first_not_of("0123456789x"));
  if (all.ends_with('x') || all.find("xx") != all.npos) return {};
  std::string list;
  for (const char c : all) list += c == 'x' ? std::string(", ") : std::string(1, c);
  return list.find(',') == list.npos ? std::string() : fmt::format("; extents are written '[{}]'", list);
}

// `ns`, `GB/s`: such a word may stand right behind a number.
bool begins_unit(std::string_view text) {
  const auto begins = [&](const Unit& unit) {
    return text.starts_with(unit.name) && (text.size() == unit.name.size() || !continues_name(text[unit.name.size()]));
  };
  return std::ranges::any_of(latency_units(), begins) || std::ranges::any_of(bandwidth_units(), begins);
}

const auto read_digits = [](auto& context) {
  const auto& range = x3::_attr(context);
  const auto read = std::from_chars(range.begin(), range.end(), x3::_val(context).value);
  ParseState& state = state_of(context);
  if (read.ec != std::errc()) {
    fail(state, range.begin(),
         error_at(state.span(range.begin(), range.end()), "number too large (above 2^63 - 1)", Code::range));
  }
  const std::string_view rest(range.end(), static_cast<std::size_t>(state.end() - range.end()));
  if (!rest.empty() && starts_name(rest.front()) && !begins_unit(rest)) {
    fail(state, range.begin(),
         error_at(state.span(range.begin(), range.end() + 1),
                  "a number runs into a name" +
                      extents_hint({range.begin(), static_cast<std::size_t>(state.end() - range.begin())}),
                  Code::syntax));
  }
};

const auto literal = [](auto& context) { x3::_val(context).node = ast::IntegerLiteral{x3::_attr(context).value}; };
const auto truth = [](auto& context) { x3::_val(context).node = ast::BoolLiteral{true}; };
const auto falsehood = [](auto& context) { x3::_val(context).node = ast::BoolLiteral{false}; };

constexpr std::array<std::string_view, 6> folds = {"sum", "min", "max", "count", "all", "any"};

const auto invoked = [](auto& context) {
  Invocation& call = x3::_attr(context);
  auto& result = x3::_val(context).node;
  if (!call.indices.empty()) {
    result = ast::NodeUse{std::move(call.name), false, std::move(call.indices)};
  } else if (!call.called) {
    result = ast::NameUse{std::move(call.name.text)};
  } else if (call.arguments.bindings.empty()) {
    result = ast::CallExpression{std::move(call.name), std::move(call.arguments.list)};
  } else {
    if (std::find(folds.begin(), folds.end(), call.name.text) == folds.end()) {
      ParseState& state = state_of(context);
      fail(state, x3::_where(context).begin(),
           error_at(call.name.span, "only sum, min, max, count, all and any run over a 'for'", Code::syntax));
    }
    auto body = std::make_unique<ast::Expression>(std::move(call.arguments.list.front()));
    result = ast::Fold{std::move(call.name), std::move(body), std::move(call.arguments.bindings),
                       std::move(call.arguments.condition)};
  }
};

const auto collected = [](auto& context) {
  Elements& elements = x3::_attr(context);
  auto& result = x3::_val(context).node;
  if (elements.bindings.empty()) {
    result = ast::SetLiteral{std::move(elements.list)};
  } else {
    auto body = std::make_unique<ast::Expression>(std::move(elements.list.front()));
    result = ast::SetComprehension{std::move(body), std::move(elements.bindings), std::move(elements.condition)};
  }
};

const auto quoted_node = [](auto& context) {
  const auto& range = x3::_attr(context);
  const Span span = state_of(context).span(range.begin(), range.end());
  x3::_val(context).node = ast::NodeUse{{std::string(range.begin() + 1, range.end() - 1), span}, true, {}};
};

const auto empty_set = [](auto& context) { x3::_val(context).node = ast::SetLiteral{}; };

const auto folded = [](auto& context) {
  Chain& chain = x3::_attr(context);
  ParseState& state = state_of(context);
  const auto operators = std::count_if(
      chain.begin(), chain.end(), [](const auto& piece) { return !std::holds_alternative<ast::Expression>(piece); });
  state.frames.back().height += static_cast<int>(std::min<std::ptrdiff_t>(operators, deepest_nesting));
  if (state.too_deep()) return;  // Nested tells; the chain is dropped
  Result<ast::Expression> tree = fold(std::move(chain));
  if (!tree) fail(state, x3::_where(context).begin(), tree.diagnostics().front());
  x3::_val(context) = std::move(*tree);
};

// --- operators ----------------------------------------------------------------------------------------------------

struct InfixSymbols : x3::symbols<const InfixOperator*> {
  explicit InfixSymbols(bool words) {
    for (const InfixOperator& op : infix_operators()) {
      if (op.is_word() == words) add(op.spelling, &op);
    }
  }
};

const InfixSymbols infix_words(true);
const InfixSymbols infix_signs(false);

const x3::rule<class InfixId, InfixUse> infix = "an operator";
const x3::rule<class PrefixId, PrefixUse> prefix = "an operator";

const auto negates = [](auto& context) { x3::_val(context).op = ast::UnaryOperator::negate; };
const auto inverts = [](auto& context) { x3::_val(context).op = ast::UnaryOperator::logical_not; };

// Before the end of the line, or a default: `param N in 2..`.
const auto if_allowed = [](auto& context) { x3::_pass(context) = state_of(context).endless_allowed; };
const auto endless = x3::lit("..") >> &(x3::lit(Mark::line) | x3::lit('=')) >> x3::eps[if_allowed];

// A word is an operator only where it ends (`order` is a name); `-` only where no `->` or `--` begins.
const auto infix_def = placed[x3::lexeme[infix_words[into<&InfixUse::op>] >> !name_character] |
                              (!arrow >> !both_ways >> !endless >> infix_signs[into<&InfixUse::op>])];
const auto prefix_def = placed[(!arrow >> x3::lit('-')[negates]) | word("not")[inverts]];

// --- operands -----------------------------------------------------------------------------------------------------

const x3::rule<class DigitsId, Digits> digits = "a number";
const x3::rule<class BindingId, ast::Binding> binding = "a name";
const x3::rule<class ElementsId, Elements> elements = "an expression";
const x3::rule<class InvocationId, Invocation> invocation = "a name";
const x3::rule<class ConditionalId, ast::Conditional> conditional = "an expression";
const x3::rule<class OperandId, ast::Expression> operand = "an expression";
const x3::rule<class ChainId, Chain> chain = "an expression";

const auto digits_def = placed[x3::raw[x3::lexeme[+x3::char_("0-9")]][read_digits]];

const auto binding_def = name[into<&ast::Binding::variable>] >
                         described(word("in"), "'in' after the loop's variable") > expression[into<&ast::Binding::set>];

const auto over = word("for") > bindings[into<&Elements::bindings>] >
                  -(word("if") > expression[into<&Elements::condition>]);
const auto elements_def = expression[into<&Elements::list>] >> (over | *(',' > expression[into<&Elements::list>]));

const auto invocation_def = name[into<&Invocation::name>] >>
                            -((x3::lit('(')[set<&Invocation::called>] >
                               described(x3::lit(')') | (elements[into<&Invocation::arguments>] > closing),
                                         "an expression or ')'")) |
                              +('[' > expression[into<&Invocation::indices>] > described(x3::lit(']'), "']'")));
const auto quoted = x3::raw[x3::lexeme['"' >> +~x3::char_("\"\n") >> '"']];

const auto conditional_def = word("if") > expression[into<&ast::Conditional::condition>] >
                             described(word("then"),
                                       "'then' after the condition") > expression[into<&ast::Conditional::then>] >
                             described(word("else"), "'else' and the other value after the first") >
                             expression[into<&ast::Conditional::otherwise>];

const auto parenthesized = '(' > expression[whole] > described(x3::lit(')'), "')'");
const auto braced = '{' > described((x3::lit('}') >> x3::eps[empty_set]) |
                                        (elements[collected] > described(x3::lit('}'), "',' or '}'")),
                                    "an expression or '}'");

const auto operand_def = placed[digits[literal] | word("true")[truth] | word("false")[falsehood] | invocation[invoked] |
                                quoted[quoted_node] | parenthesized | braced];

const auto term = (+prefix[element] > operand[element]) | operand[element];
const auto chain_def = term >> *(infix[element] > described(term, "an expression"));

BOOST_SPIRIT_DEFINE(infix, prefix, digits, binding, elements, invocation, conditional, operand, chain)

}  // namespace

const auto name_def = x3::raw[x3::lexeme[x3::char_("a-zA-Z_") >> *name_character]][spell];
const auto bindings_def = binding[element] > *(',' > binding[element]);
const auto expression_def = nested[placed[conditional[node]] | chain[folded]];

BOOST_SPIRIT_DEFINE(name, bindings, expression)

BOOST_SPIRIT_INSTANTIATE(NameRule, TextIterator, GrammarContext)
BOOST_SPIRIT_INSTANTIATE(ExpressionRule, TextIterator, GrammarContext)
BOOST_SPIRIT_INSTANTIATE(BindingsRule, TextIterator, GrammarContext)

}  // namespace quadrille::grammar
