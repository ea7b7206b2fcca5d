// Cuts a certificate's text into lines and words, and notes faults with their places; the same for all kinds of line.
#include "verifier/certificate/pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/text/number_in.h"

namespace quadrille::certificate {
namespace {

constexpr std::size_t most_faults = 20;
constexpr std::string_view blanks = " \t\r";

}  // namespace

TextPiece Pieces::trimmed(TextPiece piece) const {
  while (piece.begin < piece.end && blanks.find(text_[piece.begin]) != blanks.npos) ++piece.begin;
  while (piece.begin < piece.end && blanks.find(text_[piece.end - 1]) != blanks.npos) --piece.end;
  return piece;
}

TextPiece Pieces::take_word(TextPiece& rest) const {
  rest = trimmed(rest);
  TextPiece word{rest.begin, rest.begin};
  while (word.end < rest.end && blanks.find(text_[word.end]) == blanks.npos) ++word.end;
  rest = trimmed({word.end, rest.end});
  return word;
}

TextPiece Pieces::take_line(std::size_t& next) const {
  const TextPiece line{next, std::min(text_.find('\n', next), text_.size())};
  next = line.end + 1;
  return trimmed(line);
}

bool Pieces::full() const { return faults_.size() >= most_faults; }

void Pieces::report_error(TextPiece piece, std::string message) {
  if (!full()) faults_.push_back(error_at(span(piece), std::move(message), Code::syntax));
}

void Pieces::report_notation(const Diagnostics& diagnostics, TextPiece piece) {
  // A notation counts from its own beginning, which is `piece.begin` of the text.
  const auto moved = [&](Span inside) {
    if (!inside.known()) return span(piece);
    return span({piece.begin + inside.begin, piece.begin + inside.end});
  };
  for (Diagnostic diagnostic : diagnostics) {
    if (full()) return;
    diagnostic.span = moved(diagnostic.span);
    for (auto& note : diagnostic.notes) note.first = moved(note.first);
    faults_.push_back(std::move(diagnostic));
  }
}

std::optional<std::uint64_t> Pieces::number(TextPiece piece, std::string_view what, std::uint64_t least,
                                            std::uint64_t most) {
  const std::string_view digits = view(piece);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) {
    report_error(piece, fmt::format("`{}` is not a whole number; expected {}", digits, what));
    return std::nullopt;
  }
  const auto value = number_in<std::uint64_t>(digits);
  if (!value || *value < least || *value > most) {
    report_error(piece, fmt::format("{} is {}; expected {} from {} to {}", digits,
                                    value && *value < least ? "too small" : "too large a number", what, least, most));
    return std::nullopt;
  }
  return value;
}

std::string offer(std::string_view word, const std::vector<std::string>& known) {
  const auto near = nearest(word, known);
  return near ? fmt::format("; did you mean `{}`?", *near) : "";
}

}  // namespace quadrille::certificate
