// What the grammar's actions know besides the text that they match: places, comments, how deep the nesting is, and the
// errors found so far. No Spirit in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dsl/ast.h"
#include "dsl/layout.h"
#include "model/limits/limits.h"
#include "model/limits/memory_use.h"
#include "model/text/diagnostic.h"

namespace quadrille {

using TextIterator = const char*;  // into Layout::text

class ParseState {
 public:
  // Requires that `layout` and `limits` outlive the state.
  ParseState(const Layout& layout, std::uint32_t source, const Limits& limits)
      : pulse_(limits, 64), layout_(layout), source_(source) {}

  TextIterator begin() const { return layout_.text.data(); }
  TextIterator end() const { return begin() + layout_.text.size(); }

  // The place in the input of the text from `first` to `last`, blanks at its end left out.
  Span span(TextIterator first, TextIterator last) const;

  ast::Comments comments_at(TextIterator line) const { return layout_.comments_at(offset(line)); }
  TrailingComments trailing_at(TextIterator mark) const { return layout_.trailing_at(offset(mark)); }

  // --- nesting ---

  // One block, statement or expression that is being read. `height` counts the levels of the tree below it.
  struct Frame {
    int height = 0;
    TextIterator header_begin = nullptr;  // of a statement
    TextIterator header_end = nullptr;
  };
  std::vector<Frame> frames;

  bool endless_allowed = false;  // a range without an end: of a parameter

  // The levels above and below the innermost frame are more than the limit.
  bool too_deep() const { return static_cast<int>(frames.size()) + frames.back().height > deepest_nesting; }

  // Whether it is time to stop: why, or none.
  Reason stopped() { return pulse_.reached() ? pulse_.reason() : Reason::none; }
  // The same, where a list of the tree is about to take that many bytes.
  Reason stopped_with(std::uint64_t bytes) { return pulse_.reached_with(bytes) ? pulse_.reason() : Reason::none; }

  // --- errors ---

  // The reason of the failure that is thrown next; overrides what the failed expectation would say.
  void explain(Diagnostic reason) { reason_ = std::move(reason); }

  // The next error is the last that is reported, and nothing is read after it.
  void give_up() { errors_left_ = 1; }

  // Records that `wanted` was expected at `place`, in the line that begins at `line` (or the reason given by
  // explain()).
  void report(TextIterator line, TextIterator place, const std::string& wanted);

  // Where to go on after an error in the line (or block) that begins at `line`: after the line, its block, and what
  // belongs to it by an `else`.
  TextIterator after_line(TextIterator line) const;

  Diagnostics errors;

 private:
  std::size_t offset(TextIterator place) const { return static_cast<std::size_t>(place - begin()); }
  std::string_view rest(TextIterator place) const { return {place, static_cast<std::size_t>(end() - place)}; }
  TextIterator skip_block(TextIterator line) const;
  Diagnostic unexpected(TextIterator line, TextIterator place, const std::string& wanted) const;

  MeasuredPulse pulse_;
  std::size_t errors_left_ = most_errors;
  const Layout& layout_;
  std::uint32_t source_;
  std::optional<Diagnostic> reason_;
};

}  // namespace quadrille
