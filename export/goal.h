// `quadrille export --to goal` and `goal-binary`.
#pragma once

#include "export/targets.h"

namespace quadrille::exporting {

Result<ExportOutcome> export_goal_text(const ExportInput& input, const Sink& sink);
Result<ExportOutcome> export_goal_binary(const ExportInput& input, const Sink& sink);

}  // namespace quadrille::exporting
