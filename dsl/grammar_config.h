// What every grammar source shares: the types that Spirit's rules are instantiated with, the directives, and the
// actions that fill the tree. Only grammar_*.cpp include this file.
#pragma once

#include <boost/spirit/home/x3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dsl/ast.h"
#include "dsl/parse_state.h"
#include "dsl/words.h"

namespace quadrille::grammar {

namespace x3 = boost::spirit::x3;

struct StateTag;
const auto blanks = x3::lit(' ');
using Skipper = std::remove_const_t<decltype(blanks)>;
using GrammarContext = x3::context<StateTag, ParseState, x3::phrase_parse_context<Skipper>::type>;

template <class Ctx>
ParseState& state_of(const Ctx& context) {
  return x3::get<StateTag>(context);
}

// Stops the line with `reason`; the line's error handler takes over.
[[noreturn]] inline void fail(ParseState& state, TextIterator place, Diagnostic reason) {
  state.explain(std::move(reason));
  throw x3::expectation_failure<TextIterator>(place, {});
}

// --- directives ---------------------------------------------------------------------------------------------------

// `subject`, in the reader's words when it is expected and missing.
template <class Subject>
struct Described : x3::unary_parser<Subject, Described<Subject>> {
  static constexpr bool is_pass_through_unary = true;
  static constexpr bool handles_container = Subject::handles_container;

  Described(const Subject& described_parser, const char* words)
      : x3::unary_parser<Subject, Described<Subject>>(described_parser), description(words) {}

  template <class Ctx, class RuleContext, class Attribute>
  bool parse(TextIterator& first, const TextIterator& last, const Ctx& context, RuleContext& rule,
             Attribute& attribute) const {
    return this->subject.parse(first, last, context, rule, attribute);
  }

  const char* description;
};

template <class Subject>
auto described(const Subject& subject, const char* words) {
  using Parser = typename x3::extension::as_parser<Subject>::value_type;
  return Described<Parser>(x3::as_parser(subject), words);
}

// Writes the place of what `subject` matched into the rule's attribute.
template <class Subject>
struct Placed : x3::unary_parser<Subject, Placed<Subject>> {
  static constexpr bool is_pass_through_unary = true;

  using x3::unary_parser<Subject, Placed<Subject>>::unary_parser;

  template <class Ctx, class RuleContext, class Attribute>
  bool parse(TextIterator& first, const TextIterator& last, const Ctx& context, RuleContext& rule,
             Attribute& attribute) const {
    x3::skip_over(first, last, context);
    const TextIterator begin = first;
    if (!this->subject.parse(first, last, context, rule, attribute)) return false;
    rule.span = state_of(context).span(begin, first);
    return true;
  }
};

inline void fail_if_stopped(ParseState& state, TextIterator place, Reason reason) {
  if (reason == Reason::none) return;
  state.give_up();
  fail(state, place,
       error_at({},
                reason == Reason::cancelled ? "stopped while reading"
                : reason == Reason::limit   ? "reading needs more memory than the limit"
                                            : "time ran out while reading",
                code_of(reason)));
}

// One level of nesting, refused beyond the limit. A statement's header is placed at its end.
template <class Subject>
struct Nested : x3::unary_parser<Subject, Nested<Subject>> {
  static constexpr bool is_pass_through_unary = true;

  using x3::unary_parser<Subject, Nested<Subject>>::unary_parser;

  template <class Ctx, class RuleContext, class Attribute>
  bool parse(TextIterator& first, const TextIterator& last, const Ctx& context, RuleContext& rule,
             Attribute& attribute) const {
    ParseState& state = state_of(context);
    x3::skip_over(first, last, context);
    const TextIterator begin = first;
    Level level(state);
    check(state, begin);
    if (!this->subject.parse(first, last, context, rule, attribute)) return false;
    check(state, begin);
    const ParseState::Frame& frame = state.frames.back();
    if constexpr (requires { rule.span; }) {
      if (frame.header_begin) rule.span = state.span(frame.header_begin, frame.header_end);
    }
    return true;
  }

 private:
  struct Level {
    explicit Level(ParseState& s) : state(s) { state.frames.emplace_back(); }
    ~Level() {
      const int height = state.frames.back().height + 1;
      state.frames.pop_back();
      if (!state.frames.empty() && state.frames.back().height < height) state.frames.back().height = height;
    }
    ParseState& state;
  };

  static void check(ParseState& state, TextIterator place) {
    fail_if_stopped(state, place, state.stopped());
    if (!state.too_deep()) return;
    const std::string_view token = first_token({place, static_cast<std::size_t>(state.end() - place)});
    state.give_up();
    fail(
        state, place,
        error_at(state.span(place, place + token.size()), "nested too deeply (the limit is 200 levels)", Code::syntax));
  }
};

template <template <class> class Directive>
struct DirectiveMaker {
  template <class Subject>
  auto operator[](const Subject& subject) const {
    using Parser = typename x3::extension::as_parser<Subject>::value_type;
    return Directive<Parser>(x3::as_parser(subject));
  }
};

constexpr DirectiveMaker<Placed> placed;
constexpr DirectiveMaker<Nested> nested;

// --- actions ------------------------------------------------------------------------------------------------------

// A long list grows by copying itself into twice the space; whether there is that much is asked before.
template <class Context, class Value>
void before_growing(Context& context, const std::vector<Value>& list) {
  constexpr std::size_t small = std::size_t{1} << 20;  // bytes
  const std::size_t bytes = 2 * list.size() * sizeof(Value);
  if (list.size() < list.capacity() || bytes < small) return;
  ParseState& state = state_of(context);
  fail_if_stopped(state, x3::_where(context).begin(), state.stopped_with(bytes));
}

// Puts a value where it belongs: into a box, at the end of a list, or simply there.
template <class Context, class Target, class Value>
void put(Context& context, Target& target, Value&& value) {
  if constexpr (requires { before_growing(context, target); }) before_growing(context, target);
  if constexpr (std::is_same_v<Target, ast::ExpressionPtr>) {
    target = std::make_unique<ast::Expression>(std::forward<Value>(value));
  } else if constexpr (requires { target.push_back(std::forward<Value>(value)); }) {
    target.push_back(std::forward<Value>(value));
  } else {
    target = std::forward<Value>(value);
  }
}

// p[into<&Node::member>]: what `p` made becomes that member of what the rule makes.
template <auto member>
const auto into = [](auto& context) { put(context, x3::_val(context).*member, std::move(x3::_attr(context))); };

template <auto member>
const auto set = [](auto& context) { x3::_val(context).*member = true; };

// What `p` made is what the rule makes, or the next element of it.
const auto whole = [](auto& context) { x3::_val(context) = std::move(x3::_attr(context)); };
const auto element = [](auto& context) {
  before_growing(context, x3::_val(context));
  x3::_val(context).push_back(std::move(x3::_attr(context)));
};

// What `p` made is the rule's node (of an expression, statement or item).
const auto node = [](auto& context) { x3::_val(context).node = std::move(x3::_attr(context)); };

const auto header_begins = [](auto& context) {
  state_of(context).frames.back().header_begin = x3::_where(context).begin();
};
const auto header_ends = [](auto& context) {
  state_of(context).frames.back().header_end = x3::_where(context).begin();
};

// The comments of the line that begins here; and those after the last line of the block that ends here.
const auto comments = [](auto& context) {
  x3::_val(context).comments = state_of(context).comments_at(x3::_where(context).begin());
};
const auto trailing = [](auto& context) {
  x3::_val(context).trailing = state_of(context).trailing_at(x3::_where(context).begin());
};

// --- tokens -------------------------------------------------------------------------------------------------------

const auto name_character = x3::char_("a-zA-Z0-9_");

// A word of the language.
inline auto word(const char* spelling) { return x3::lexeme[x3::lit(spelling) >> !name_character]; }

// The ':' that ends a header.
inline auto colon(const char* words) { return described(x3::lit(':')[header_ends], words); }

const auto arrow = x3::lit("->");
const auto both_ways = x3::lit("--");
const auto equals = x3::lexeme['=' >> !x3::lit('=')];
const auto closing = described(x3::lit(')'), "',' or ')'");

}  // namespace quadrille::grammar

template <class Subject>
struct boost::spirit::x3::get_info<quadrille::grammar::Described<Subject>> {
  using result_type = std::string;
  std::string operator()(const quadrille::grammar::Described<Subject>& parser) const { return parser.description; }
};

// An action changes nothing in what is expected.
template <class Subject, class Action>
struct boost::spirit::x3::get_info<boost::spirit::x3::action<Subject, Action>> {
  using result_type = std::string;
  std::string operator()(const boost::spirit::x3::action<Subject, Action>& parser) const {
    return boost::spirit::x3::what(parser.subject);
  }
};
