// What the judgement of a program that is to be written means for its export.
#pragma once

#include <cstdint>
#include <string_view>

#include "export/targets.h"
#include "model/text/result.h"
#include "programs/report.h"

namespace quadrille::exporting {

// Whether a program may be written of which something is unknown for another reason than a limit.
enum class Unproved : std::uint8_t { refused, noted };

// Puts what does not hold, and is no reason not to write the program, among the notes: ranks that do not agree, or what
// holds only under a condition. Or the reason why nothing is written. Messages begin with the executor's name.
Result<ExportOutcome> judged_outcome(const programs::ProgramReport& report, std::string_view executor,
                                     Unproved unproved, ExportOutcome outcome);

}  // namespace quadrille::exporting
