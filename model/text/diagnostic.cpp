// Diagnostics as text: place, message, the source line with a caret, notes; and the nearest name for a misspelt one.
//
//     ring.qd:3:11: error: unknown name 'nn'; did you mean 'n'?
//     send 0 -> nn
//               ^~
//
// Lines are cut around the caret if they are long, columns count characters, and no character of a file's is printed
// that does more than show. The nearest name is that of the least Levenshtein distance (`sned` to `send` is 2), if less
// than 2 plus a quarter of its length. Cost of that: the product of both lengths, for each candidate of like length.
#include "model/text/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "model/text/printable.h"

namespace quadrille {
namespace {

// Lines of more bytes than this are cut to `context` characters on either side of the caret.
constexpr std::size_t longest_line = 120;
constexpr std::size_t context = 60;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The byte where the character after (before) the one at `at` begins; stays within 0 … text.size().
std::size_t next_character(std::string_view text, std::size_t at) {
  do ++at;
  while (at < text.size() && continues_character(text[at]));
  return std::min(at, text.size());
}

std::size_t previous_character(std::string_view text, std::size_t at) {
  do --at;
  while (at > 0 && continues_character(text[at]));
  return at;
}

// The bytes begin … end-1 of a text.
struct TextRange {
  std::size_t begin;
  std::size_t end;
};

// The line that holds byte `at`, without its line break.
TextRange line_around(std::string_view text, std::size_t at) {
  const std::size_t break_before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = break_before == std::string_view::npos ? 0 : break_before + 1;
  std::size_t end = std::min(text.find('\n', at), text.size());
  if (end > begin && text[end - 1] == '\r') --end;
  return {begin, end};
}

// The part of the line around byte `at` that is worth showing.
TextRange visible_part(std::string_view text, TextRange line, std::size_t at) {
  if (line.end - line.begin <= longest_line) return line;
  TextRange part{at, at};
  for (std::size_t i = 0; i < context && part.begin > line.begin; ++i) {
    part.begin = std::max(line.begin, previous_character(text, part.begin));
  }
  for (std::size_t i = 0; i < context && part.end < line.end; ++i) {
    part.end = std::min(line.end, next_character(text, part.end));
  }
  return part;
}

// The line with `?` in place of each character that must not be shown, but for tabs.
std::string shown(std::string_view line) {
  std::string result;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::max(character_end(line, at), at + 1);
    const std::string_view character = line.substr(at, end - at);
    const bool plain = character == "\t" || unprintable_at(character) == character.size();
    result += plain ? character : "?";
    at = end;
  }
  return result;
}

// The source line, and below it a caret under the span's begin and tildes to its end.
std::string excerpt(std::string_view text, Span span) {
  std::size_t at = std::min<std::size_t>(span.begin, text.size());
  while (at > 0 && at < text.size() && continues_character(text[at])) --at;
  const TextRange line = line_around(text, at);
  at = std::min(at, line.end);
  const TextRange part = visible_part(text, line, at);
  const std::string_view cut_before = part.begin > line.begin ? "..." : "";
  const std::string_view cut_after = part.end < line.end ? "..." : "";

  std::string marks(cut_before.size(), ' ');
  for (std::size_t i = part.begin; i < at; i = next_character(text, i)) marks += text[i] == '\t' ? '\t' : ' ';
  marks += '^';
  const std::size_t end = std::min<std::size_t>(span.end, part.end);
  for (std::size_t i = next_character(text, at); i < end; i = next_character(text, i)) marks += '~';
  return fmt::format("{}{}{}\n{}\n", cut_before, shown(text.substr(part.begin, part.end - part.begin)), cut_after,
                     marks);
}

std::string_view to_string(Severity severity) {
  constexpr std::array<std::string_view, 3> names = {"error", "warning", "note"};
  return names[static_cast<std::size_t>(severity)];
}

std::string message_at(Span span, Severity severity, std::string_view message, const Sources& sources) {
  if (span.source >= sources.size()) return fmt::format("{}: {}\n", to_string(severity), printable(message));
  const Source& source = sources[span.source];
  const Position position = position_of(source.text, span.begin);
  return fmt::format("{}:{}:{}: {}: {}\n{}", printable(source.name), position.line, position.column,
                     to_string(severity), printable(message), excerpt(source.text, span));
}

Reason reason_of(Code code) {
  for (const Reason reason :
       {Reason::unsupported, Reason::limit, Reason::timeout, Reason::cancelled, Reason::internal}) {
    if (code == code_of(reason)) return reason;
  }
  return Reason::none;
}

// Levenshtein's distance, row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back();
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

Diagnostic error_at(Span span, std::string message, Code code) {
  return {Severity::error, span, std::move(message), {}, code};
}

std::string_view to_string(Code code) {
  constexpr std::array<std::string_view, 17> names = {
      "",        "limit", "timeout", "cancelled", "internal", "unsupported", "syntax", "name", "duplicate",
      "missing", "type",  "range",   "value",     "route",    "invalid",     "file",   "usage"};
  return names[static_cast<std::size_t>(code)];
}

Code code_of(Reason reason) {
  switch (reason) {
    case Reason::none:
      return Code::none;
    case Reason::unsupported:
      return Code::unsupported;
    case Reason::limit:
      return Code::limit;
    case Reason::timeout:
      return Code::timeout;
    case Reason::cancelled:
      return Code::cancelled;
    case Reason::internal:
      break;
  }
  return Code::internal;
}

Reason reason_of(const Diagnostics& diagnostics) {
  Reason first = Reason::none;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    const Reason reason = reason_of(diagnostic.code);
    if (reason == Reason::none) return Reason::none;
    if (first == Reason::none) first = reason;
  }
  return first;
}

std::string render(const Diagnostic& diagnostic, const Sources& sources) {
  std::string text = message_at(diagnostic.span, diagnostic.severity, diagnostic.message, sources);
  for (const auto& [span, note] : diagnostic.notes) text += message_at(span, Severity::note, note, sources);
  return text;
}

std::string render(const Diagnostics& diagnostics, const Sources& sources) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic, sources);
  return text;
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  for (const std::string& candidate : candidates) {
    if (word != candidate && same_but_for_case(word, candidate)) return candidate;
  }
  std::optional<std::string> best;
  std::size_t too_far = 2 + word.size() / 4;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter >= too_far) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= too_far || (distance == longer && distance > 0)) continue;
    too_far = distance;
    best = candidate;
  }
  return best;
}

}  // namespace quadrille
