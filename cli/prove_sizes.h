// `quadrille prove --sizes`: sizes of a schedule checked one by one.
#pragma once

#include <memory>

#include "cli/commands.h"
#include "compiler/compile.h"
#include "model/source.h"

namespace quadrille::cli {

// Checks the sizes `arguments.sizes` of the schedule's one parameter without a value, for a constant and an exponential
// pattern where patterns are open, and says what was found. The result is an ExitStatus.
int check_sizes(const ProveArguments& arguments, const std::shared_ptr<const ir::Schedule>& schedule,
                const Arguments& given, const Sources& sources, driver::Environment& environment);

}  // namespace quadrille::cli
