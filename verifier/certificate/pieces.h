// Pieces of a certificate's text, and the faults found in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/diagnostic.h"
#include "model/text/source.h"

namespace quadrille::certificate {

// Bytes begin … end-1 of the text.
struct TextPiece {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Pieces {
 public:
  // Keeps a reference to the text; `number` is the source's, for spans.
  Pieces(const Source& source, std::uint32_t number) : text_(source.text), source_(number) {}

  std::size_t size() const { return text_.size(); }
  std::uint32_t source() const { return source_; }
  std::string_view view(TextPiece piece) const { return text_.substr(piece.begin, piece.end - piece.begin); }
  // Without the blanks around it.
  TextPiece trimmed(TextPiece piece) const;
  // The first word of `rest`, which is left with what follows it.
  TextPiece take_word(TextPiece& rest) const;
  // The line that begins at `next`, which moves to the one after it.
  TextPiece take_line(std::size_t& next) const;
  // Where the character is in the piece, or the piece's end.
  std::size_t find(char character, TextPiece piece) const {
    return std::min(text_.find(character, piece.begin), piece.end);
  }

  // Of the first twenty faults, where and what each is.
  void report_error(TextPiece piece, std::string message);
  // Faults in a notation's own text, moved to where it stands.
  void report_notation(const Diagnostics& diagnostics, TextPiece piece);
  const Diagnostics& faults() const { return faults_; }
  // Whether there are so many faults that no more are kept.
  bool full() const;
  // A whole number from `least` to `most`; else a fault that says what it should be.
  std::optional<std::uint64_t> number(TextPiece piece, std::string_view what, std::uint64_t least, std::uint64_t most);

 private:
  Span span(TextPiece piece) const {
    return {source_, static_cast<std::uint32_t>(piece.begin), static_cast<std::uint32_t>(piece.end)};
  }

  std::string_view text_;
  std::uint32_t source_;
  Diagnostics faults_;
};

// "; did you mean `x`?", if there is something near.
std::string offer(std::string_view word, const std::vector<std::string>& known);

}  // namespace quadrille::certificate
