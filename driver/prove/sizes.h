// `quadrille prove --sizes`: checks sizes of a schedule one by one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "driver/inputs/context.h"
#include "driver/prove/size_checker.h"
#include "model/text/result.h"
#include "model/verdict.h"

namespace quadrille::driver {

struct SizesRequest {
  std::string file = {};                  // a schedule: a path, `-`, or the name of one that ships
  std::vector<std::string> defines = {};  // "name=value"
  // "N=1..8" for each parameter, or "1..8" for the only one that is a number and has no value. Every combination is
  // checked that is a size of the schedule: of values that are no range, but {4, 8, 16}, those among these.
  std::vector<std::string> sizes = {};
};

struct CheckedSize {
  Arguments arguments;
  SizeResult result;
};

struct SizesOutcome {
  std::shared_ptr<const ir::Schedule> schedule;
  std::vector<CheckedSize> checked;  // for a constant and an exponential pattern if patterns are open
  Verdict verdict = Verdict::unknown;
  Reason reason = Reason::none;  // the reason why not all sizes were checked
};

Result<SizesOutcome> run(const SizesRequest& request, Context& context);

}  // namespace quadrille::driver
