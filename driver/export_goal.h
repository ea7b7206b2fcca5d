// `quadrille export --to goal` and `goal-binary`.
#pragma once

#include "driver/export.h"

namespace quadrille::driver {

Result<ExportOutcome> export_goal_text(const ExportInput& input, const Sink& sink);
Result<ExportOutcome> export_goal_binary(const ExportInput& input, const Sink& sink);

}  // namespace quadrille::driver
