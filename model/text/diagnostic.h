// What is wrong with a person's input, and where. Library code returns these; only the command line prints them.
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

// What kind of fault a diagnostic tells of, for programs: no decision reads a message. The first ones are no mistakes
// of the person's: there is no answer, for that reason (reason_of).
enum class Code : std::uint8_t {
  none,  // of what is no error
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
  range,      // a number or a size that is out of range
  value,      // an expression has no value: division by zero, the least of nothing, a recursion without end
  route,      // the fabric has no such way
  invalid,    // what cannot be done: to send to oneself, to reverse a multicast
  file,       // a file that cannot be read or written
  usage,      // the command line asks for what does not go together, or is not understood
};

// Its name, as JSON has it; empty for none.
std::string_view to_string(Code code);

// A message says what was met, then what was expected; lower case, no full stop.
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

// Why there is no answer: the first error's reason, if every error has one; none if any of them is a mistake in the
// input, or there are no errors.
Reason reason_of(const Diagnostics& diagnostics);

// The diagnostic as a person reads it: `file:line:column: error: message`, the source line, a caret line under the
// span (at most to the line's end), then the notes in the same form. Ends with a newline.
std::string render(const Diagnostic& diagnostic, const Sources& sources);
std::string render(const Diagnostics& diagnostics, const Sources& sources);

// The candidate nearest to `word` in edit distance, if near enough to be a likely slip (distance <= 1 + size/4, and
// something in common); the first of equals.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace quadrille
