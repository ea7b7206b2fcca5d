// A violation as text.
#pragma once

#include <string>
#include <string_view>

#include "cli/render/paint.h"
#include "model/send_table.h"
#include "model/text/source.h"
#include "verifier/check.h"

namespace quadrille::cli {

// "violation" or "warning" at its place, with the properties that it violates, then where the other rows concerned were
// written, the first two as notes.
std::string violation_text(std::string_view word, std::string_view properties, const Violation& violation,
                           const SendTable& table, const Sources& sources, Paint paint);

}  // namespace quadrille::cli
