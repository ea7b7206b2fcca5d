// A text becomes a tree in three stages: layout (indentation to marks, comments aside), grammar (marks and tokens to
// items), and the comments after the last line. Each needs the one before it to be without errors: after a wrong
// indentation, the grammar would only repeat the complaint.
#include "dsl/parse.h"

#include <algorithm>
#include <utility>

#include "dsl/grammar_items.h"
#include "dsl/layout.h"
#include "dsl/parse_state.h"
#include "model/limits/memory_use.h"

namespace quadrille {

Result<ast::File> parse(const Source& source, std::uint32_t source_number, const Limits& limits) {
  if (source.text.size() > largest_source) {
    return error_at({source_number, 0, 0}, "file too large (the limit is 16 MiB)", Code::range);
  }
  const Limits shared = sharing_memory(limits);
  MeasuredPulse pulse(shared);
  // The text with its marks, and their places. Who interrupts the work is answered by what is under way.
  if (pulse.reached_with(3 * source.text.size()) && pulse.reason() == Reason::limit) {
    return error_at({}, "reading needs more memory than the limit", code_of(pulse.reason()));
  }
  Layout layout = lay_out(source.text, source_number);
  if (!layout.errors.empty()) return std::move(layout.errors);

  ParseState state(layout, source_number, shared);
  ast::File file;
  file.source = source_number;
  file.items = grammar::read_items(state);
  if (!state.errors.empty()) return std::move(state.errors);

  TrailingComments trailing = state.trailing_at(state.end());
  file.trailing_comments = std::move(trailing.texts);
  file.blank_line_before_trailing = trailing.blank_line_before;
  return file;
}

}  // namespace quadrille
