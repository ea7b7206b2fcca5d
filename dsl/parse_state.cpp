// What the grammar says when a rule fails, and where it goes on.
//
// The message is made of what the rule wanted, the last token before the place, and the one that is met: in `at k % 2:`
// the answer is "expected …, met '%'; did you mean 'mod'?". Then parsing goes on with the next line that is not inside
// the block of the wrong one, so that one mistake gives one message. Cost: linear in the line; in the block that is
// skipped.
#include "dsl/parse_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "dsl/words.h"
#include "model/text/quantity.h"

namespace quadrille {
namespace {

bool is_mark(char c) { return c == Mark::open || c == Mark::close || c == Mark::line; }

TextIterator skip_blanks(TextIterator place, TextIterator end) {
  while (place != end && *place == ' ') ++place;
  return place;
}

// The last token between `first` and `last`; empty if there is none.
std::string_view last_token(TextIterator first, TextIterator last) {
  std::string_view token;
  for (TextIterator at = first; (at = skip_blanks(at, last)) != last && !is_mark(*at); at += token.size()) {
    token = first_token({at, static_cast<std::size_t>(last - at)});
  }
  return token;
}

// Where the statement begins that is read at `place`: after the last ':' of its line, or with the line.
TextIterator statement_of(TextIterator line, TextIterator place) {
  TextIterator begin = line;
  for (TextIterator at = line; at != place; ++at) {
    if (*at == ':') begin = at + 1;
  }
  begin = skip_blanks(begin, place);
  const std::string_view then = first_token({begin, static_cast<std::size_t>(place - begin)});
  return then == "then" ? skip_blanks(begin + then.size(), place) : begin;
}

// A line whose first word is no statement's.
std::string unknown_statement(std::string_view word, std::string_view rest) {
  if (word == "else") return "'else' without an 'if' that starts its own line before it";
  if (word == "chunk") return "'chunk' stands only in the block of a 'collective'";
  if (leads_item(word)) return fmt::format("'{}' stands only at the file's own level, not in a block", word);
  if (is_keyword(word)) return fmt::format("a statement cannot begin with '{}'", word);
  rest.remove_prefix(word.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (rest.starts_with('=')) return fmt::format("unknown statement '{0}'; did you mean 'let {0} = …'?", word);
  const std::string_view meant = word_meant(word);
  if (is_keyword(meant)) return fmt::format("unknown statement '{}'; did you mean '{}'?", word, meant);
  for (const std::span<const std::string> words : {leading_words(), clause_words()}) {
    if (const auto near = nearest(word, words)) {
      return fmt::format("unknown statement '{}'; did you mean '{}'?", word, *near);
    }
  }
  return fmt::format("unknown statement '{0}'; a call is written '{0}(…)'", word);
}

// What other languages write where ours writes something else: "; did you mean 'mod'?". Empty if `met` is no such sign.
std::string habit(std::string_view met, std::string_view wanted, std::string_view first_word) {
  static constexpr auto ours = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"%", "mod"}, {"&", "and"}, {"|", "or"}, {"!", "not"}, {"→", "->"}, {"**", "^"}});
  std::string_view meant;
  for (const auto& [theirs, word] : ours) {
    if (theirs == met) meant = word;
  }
  const bool ends = wanted == "end of line";
  if (met == "=" && (ends || wanted.starts_with("':'"))) meant = "==";
  if (met == "=" && wanted.starts_with("',' or ')'")) meant = ":";
  if (met == "=" && first_word == "param") return "; a constant is written 'let … = …'";
  if (met == ";" && ends) return "; lines end without ';'";
  if (met == "{" && wanted.starts_with("':'")) return "; a block is what is indented behind ':'";
  if (met == "," && ends && first_word == "send")
    return "; each send is a line, or goes to a set, as in 'send 0 -> {1, 2}'";
  if (met == "to" && wanted.starts_with("'->'")) meant = "->";
  if (met == "," && ends && first_word == "link") return "; clauses stand side by side, without ','";
  return meant.empty() ? std::string() : fmt::format("; did you mean '{}'?", meant);
}

// Where a statement could end, yet a word follows: "; did you mean 'carrying'?". Empty if it is like none that could go
// on.
std::string misspelt(std::string_view met, std::string_view wanted, std::string_view first_word) {
  const bool ends = wanted == "end of line";
  if (!starts_name(met.front()) || !(ends || wanted.starts_with("':'"))) return {};
  if (ends && first_word == "send" && (met == "part" || met == "held" || met == "sum")) {
    return fmt::format("; did you mean 'carrying {}'?", met);
  }
  if (is_keyword(met)) return {};
  if (const std::string_view meant = word_meant(met); is_keyword(meant)) {
    return fmt::format("; did you mean '{}'?", meant);
  }
  const auto near = nearest(met, clause_words());
  if (near && *near == met) return first_word == "link" ? "; each clause stands once" : std::string();
  return near ? fmt::format("; did you mean '{}'?", *near) : std::string();
}

// An argument of the command line's notation as the language writes it: `capacity=2` as `capacity: 2`, `4x4` as
// `[4, 4]`.
std::string argument_in_language(std::string_view item) {
  const std::size_t equals = item.find('=');
  if (equals != item.npos) {
    return fmt::format("{}: {}", item.substr(0, equals), argument_in_language(item.substr(equals + 1)));
  }
  const bool extents = item.find('x') != item.npos && item.find_first_not_of("0123456789x") == item.npos;
  if (!extents) return std::string(item);
  std::string list = "[";
  for (const char c : item) list += c == 'x' ? std::string(", ") : std::string(1, c);
  return list + "]";
}

// What is met where `fabric torus:4x4` was written, as on the command line; empty if the line is no such.
std::string fabric_in_language(std::string_view before, std::string_view rest) {
  static constexpr std::string_view fabric = "fabric ";
  if (!before.starts_with(fabric)) return {};
  before.remove_prefix(fabric.size());
  const std::string_view name = first_token(before.substr(std::min(before.find_first_not_of(' '), before.size())));
  const std::size_t colon = before.find_last_not_of(' ');
  if (name.empty() || colon == before.npos || before[colon] != ':' || before.find(':') != colon) return {};
  const std::string_view given = rest.substr(0, rest.find_first_of(" /\x01\x02\x03\n"));
  std::string arguments;
  for (std::size_t begin = 0; begin <= given.size();) {
    const std::size_t end = std::min(given.find(',', begin), given.size());
    arguments += (begin > 0 ? ", " : "") + argument_in_language(given.substr(begin, end - begin));
    begin = end + 1;
  }
  return fmt::format("'{0}:{1}' is how the command line writes it; here it is '{0}({2})'", name, given, arguments);
}

// How a quantity with a decimal point is written, when the point is met: "write 500ns for 0.5 us". Empty if it is none.
std::string whole_quantity(std::string_view before, std::string_view rest) {
  std::size_t begin = before.size();
  while (begin > 0 && is_digit(before[begin - 1])) --begin;
  const std::string_view whole = before.substr(begin);
  const std::string_view decimals = first_token(rest.substr(1));
  if (whole.empty() || decimals.empty() || !is_digit(decimals.front())) return {};
  std::string_view after = rest.substr(1 + decimals.size());
  const std::string number = fmt::format("{}.{}", whole, decimals);
  after.remove_prefix(std::min(after.find_first_not_of(' '), after.size()));
  const std::string_view unit = after.substr(0, after.find_first_of(" ,):\x01\x02\x03\n"));
  // Of less than the smallest unit there is no such number.
  const auto is_whole = [&](std::span<const Unit> units) {
    const auto value = quantity(number + std::string(unit), units);
    constexpr double rounding = 1e-6;  // 4.35 * 1000 is a little less than 4350
    return value && *value >= 1 && std::abs(*value - std::round(*value)) < rounding;
  };
  std::string written;
  if (is_whole(latency_units())) written = latency_text(*parse_latency(number + std::string(unit)));
  if (is_whole(bandwidth_units())) written = bandwidth_text(*parse_bandwidth(number + std::string(unit)));
  if (written.empty()) return fmt::format("numbers are whole here; expected no '.' as in {}", number);
  return fmt::format("numbers are whole here; write {} for {} {}", written, number, unit);
}

bool wants_name(std::string_view wanted) { return wanted.starts_with("a name") || wanted.starts_with("the name"); }

}  // namespace

Span ParseState::span(TextIterator first, TextIterator last) const {
  while (last > first && last[-1] == ' ') --last;
  const std::uint32_t from = layout_.original(offset(first));
  const std::uint32_t to = last == first ? from : layout_.original(offset(last) - 1) + 1;
  return {source_, from, to};
}

void ParseState::report(TextIterator line, TextIterator place, const std::string& wanted) {
  std::optional<Diagnostic> reason = std::exchange(reason_, std::nullopt);
  if (errors_left_ == 0) return;
  --errors_left_;
  errors.push_back(reason ? std::move(*reason) : unexpected(line, skip_blanks(place, end()), wanted));
}

Diagnostic ParseState::unexpected(TextIterator line, TextIterator place, const std::string& wanted) const {
  if (place == end() || is_mark(*place)) {
    const Span point = {source_, layout_.original(offset(place)), layout_.original(offset(place))};
    // A line end where one is wanted, yet a block opens: the line is deeper than the one before.
    if (wanted == "end of line") {
      const TextIterator next = place == end() ? place : skip_blanks(place + 1, end());
      const std::string_view word = first_token(rest(next));
      const auto near = word.empty() || is_keyword(word) ? std::nullopt : nearest(word, clause_words());
      return error_at(span(place + 1, place + 1),
                      fmt::format("this line is indented more deeply, but the line before opens no block{}",
                                  near ? fmt::format("; did you mean '{}'?", *near) : std::string()),
                      Code::syntax);
    }
    const std::string_view before = last_token(line, place);
    const bool after = !before.empty() && wanted.find(" after ") == wanted.npos;
    return error_at(point,
                    fmt::format("expected {}{}, met 'end of line'", wanted,
                                after ? fmt::format(" after '{}'", before) : std::string()),
                    Code::syntax);
  }
  const std::string_view met = first_token(rest(place));
  const Span here = span(place, place + met.size());
  if (wanted.starts_with("a statement") && starts_name(met.front()))
    return error_at(here, unknown_statement(met, rest(place)), Code::syntax);
  if (wants_name(wanted) && is_keyword(met)) {
    return error_at(here, fmt::format("'{}' is a word of the language and cannot be a name", met), Code::syntax);
  }
  if (const std::string ours = fabric_in_language({line, static_cast<std::size_t>(place - line)}, rest(place));
      !ours.empty()) {
    return error_at(here, ours, Code::syntax);
  }
  if (met == "#" || rest(place).starts_with("/*")) {
    return error_at(here, fmt::format("a comment begins with '//', not with '{}'", met == "#" ? "#" : "/*"),
                    Code::syntax);
  }
  if (met == ".") {
    const std::string whole = whole_quantity({line, static_cast<std::size_t>(place - line)}, rest(place));
    if (!whole.empty()) return error_at(here, whole, Code::syntax);
  }
  if (wanted.starts_with("an expression") && met == "if") {
    return error_at(here, "'if … then … else …' needs parentheses here", Code::syntax);
  }
  const std::string_view before = last_token(line, place);
  const bool after = !before.empty() && wanted.find(" after ") == wanted.npos && wanted != "end of line";
  if (met == ":" && wanted == "end of line" && first_token(rest(line)) == "fabric")
    return error_at(here, "a fabric is declared with parameters such as 'fabric NAME(a in 1..8, b = 2):'",
                    Code::syntax);
  const std::string_view first = first_token(rest(statement_of(line, place)));
  return error_at(
      here,
      fmt::format("expected {}{}, met '{}'{}{}", wanted, after ? fmt::format(" after '{}'", before) : std::string(),
                  met, habit(met, wanted, first), misspelt(met, wanted, first)),
      Code::syntax);
}

TextIterator ParseState::after_line(TextIterator line) const {
  if (errors_left_ == 0) return end();
  // An `else` belongs to the `if` that is skipped; met alone, it would be the next error.
  TextIterator next = skip_block(line);
  while (first_token(rest(next)) == "else") next = skip_block(next);
  return next;
}

TextIterator ParseState::skip_block(TextIterator line) const {
  int depth = 0;
  for (TextIterator at = line; at != end(); ++at) {
    if (*at == Mark::open) ++depth;
    if (*at == Mark::close) --depth;
    if (depth == 0 && (*at == Mark::line || *at == Mark::close)) return at + 1;
  }
  return end();
}

}  // namespace quadrille
