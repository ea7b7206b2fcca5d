// Errors in a person's input, and their places. Library code returns these; only the command line prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/limits/limits.h"
#include "model/text/source.h"

namespace quadrille {

enum class Severity : std::uint8_t { error, warning, note };

// The kind of fault of a diagnostic, for programs: no decision depends on a message. The first kinds are not the
// person's mistakes: there is no answer, for that reason (reason_of).
enum class Code : std::uint8_t {
  none,  // for a diagnostic that is no error
  limit,
  timeout,
  cancelled,
  internal,
  unsupported,
  syntax,     // the text is not in the grammar, or the file not in its format
  name,       // nothing has that name
  duplicate,  // there is one already
  missing,    // something that is needed is not given
  type,       // a value of another type is needed, or another number of arguments
  range,      // a number or a size is out of range
  value,      // an expression has no value: division by zero, the least of nothing, a recursion without end
  route,      // the fabric has no such path
  invalid,    // it cannot be done: to send to oneself, to reverse a multicast
  file,       // a file cannot be read or written
  usage,      // the command line is not understood, or its parts do not go together
};

// The code's name in JSON; empty for none.
std::string_view to_string(Code code);

// A message says what was found, and then what was expected; lower case, no full stop.
struct Diagnostic {
  Severity severity = Severity::error;
  Span span;  // may be unknown: then only the message is printed
  std::string message;
  std::vector<std::pair<Span, std::string>> notes;
  Code code = Code::none;
};

using Diagnostics = std::vector<Diagnostic>;

// An error at `span`, with no notes.
Diagnostic error_at(Span span, std::string message, Code code);

// The code of a diagnostic that says that there is no answer, for this reason; Code::none for Reason::none.
Code code_of(Reason reason);

// The reason why there is no answer: the first error's, if every error has one. None if any error is a mistake in the
// input, or if there are no errors.
Reason reason_of(const Diagnostics& diagnostics);

// The diagnostic in a person's form: `file:line:column: error: message`, the source line, a caret line under the span
// (at most to the line's end), then the notes in the same form. Ends with a newline.
std::string render(const Diagnostic& diagnostic, const Sources& sources);
std::string render(const Diagnostics& diagnostics, const Sources& sources);

// The candidate nearest to `word` in edit distance, if near enough to be a likely slip (distance <= 1 + size/4, and
// something in common); the first of equals.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace quadrille
