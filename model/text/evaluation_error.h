// An EvaluationError ends work on a schedule: it is thrown at a user's mistake or a limit, and a public face catches
// it.
#pragma once

#include <string>
#include <string_view>

#include "model/limits/limits.h"
#include "model/text/diagnostic.h"
#include "model/text/source.h"

namespace quadrille {

// A user's mistake met while evaluating; caught at the compiler's public face.
struct EvaluationError {
  Diagnostic diagnostic;
  bool located = false;  // the loop variables have been noted
};

[[noreturn]] void fail(Span span, std::string message, Code code);
// Throws the error that limits were reached. `doing` names the work that they ended: "working out the schedule's
// times".
[[noreturn]] void fail_at_limit(Reason reason, std::string_view doing, Span span = {});

}  // namespace quadrille
