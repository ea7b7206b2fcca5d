// The message of a limit says what ended the work and what the work was.
#include "model/text/evaluation_error.h"

#include <fmt/format.h>

#include <utility>

namespace quadrille {

void fail(Span span, std::string message, Code code) {
  throw EvaluationError{error_at(span, std::move(message), code), false};
}

void fail_at_limit(Reason reason, std::string_view doing, Span span) {
  const std::string_view what = reason == Reason::cancelled ? "stopped"
                                : reason == Reason::limit   ? "memory ran out"
                                                            : "time ran out";
  fail(span, fmt::format("{} while {}", what, doing), code_of(reason));
}

}  // namespace quadrille
