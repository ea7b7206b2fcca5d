// What is wrong with a person's input, and where. Library code returns these; only the command line prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/source.h"

namespace quadrille {

enum class Severity : std::uint8_t { error, warning, note };

// A message says what was met, then what was expected; lower case, no full stop.
struct Diagnostic {
  Severity severity = Severity::error;
  Span span;  // may be unknown: then only the message is printed
  std::string message;
  std::vector<std::pair<Span, std::string>> notes;
};

using Diagnostics = std::vector<Diagnostic>;

// An error at `span`, with no notes.
Diagnostic error_at(Span span, std::string message);

// The diagnostic as a person reads it: `file:line:column: error: message`, the source line, a caret line under the
// span (at most to the line's end), then the notes in the same form. Ends with a newline.
std::string render(const Diagnostic& diagnostic, const Sources& sources);
std::string render(const Diagnostics& diagnostics, const Sources& sources);

// The candidate nearest to `word` in edit distance, if near enough to be a likely slip (distance <= 1 + size/4, and
// something in common); the first of equals.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace quadrille
