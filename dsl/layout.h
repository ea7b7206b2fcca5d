// From indentation to explicit marks: the pass before the grammar.
//
//     for k in 1..3:  // all        becomes   for k in 1..3:<open>send 0 -> k<line><close>
//       send 0 -> k
//
// Comments and blank lines leave the text; they are kept on the side, under the place of the line that they belong to.
// A line goes on while a bracket is open; its pieces are joined by one blank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dsl/ast.h"
#include "model/text/diagnostic.h"

namespace quadrille {

// Control characters, which the input cannot contain.
struct Mark {
  static constexpr char open = '\x01';   // a block of more deeply indented lines begins; stands in place of `line`
  static constexpr char close = '\x02';  // it ends
  static constexpr char line = '\x03';   // a line ends
};

// The whole-line comments at the end of a block or file.
struct TrailingComments {
  std::vector<std::string> texts;
  bool blank_line_before = false;
};

struct Layout {
  std::string text;    // the input with marks, without comments
  Diagnostics errors;  // tabs, control characters, bad UTF-8, bad indentation, brackets and strings left open

  // The place in the input of byte `offset` of `text`. A mark's place is the end of the line before it.
  std::uint32_t original(std::size_t offset) const;

  // What belongs to the line that begins at byte `offset` of `text`, and to the block whose close mark stands there
  // (the file's end: at the text's end).
  ast::Comments comments_at(std::size_t offset) const;
  TrailingComments trailing_at(std::size_t offset) const;

  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // (offset in `text`, offset in the input), rising
  std::unordered_map<std::size_t, ast::Comments> comments;
  std::unordered_map<std::size_t, TrailingComments> trailing;
};

constexpr std::size_t largest_source = std::size_t{16} << 20;  // bytes
constexpr int deepest_nesting = 200;                           // blocks and expressions in one another
constexpr std::size_t most_errors = 20;                        // the rest of a file's errors is not reported

Layout lay_out(std::string_view input, std::uint32_t source_number);

}  // namespace quadrille
