// Source texts and places in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille {

// One text that a person wrote: a schedule file, a table, a command-line argument.
struct Source {
  std::string name;  // the name that the person knows: a path, or "--on"
  std::string text;
};

// A place in a source: bytes begin … end-1 of source number `source` of a Sources list. `begin == end` marks a point.
// The default value is "no place".
struct Span {
  static constexpr std::uint32_t nowhere = 0xffffffff;
  std::uint32_t source = nowhere;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool known() const { return source != nowhere; }
  bool operator==(const Span&) const = default;
};

// Every source that one piece of work has read; spans index it.
using Sources = std::vector<Source>;

// Line and column, both from 1; the column counts Unicode characters, not bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  bool operator==(const Position&) const = default;
};

// The position of byte `offset` of `text`; the end of the text when the offset lies beyond it.
Position position_of(std::string_view text, std::uint32_t offset);

// The smallest span that covers both; the known one when the other is unknown.
Span cover(Span first, Span last);

}  // namespace quadrille
