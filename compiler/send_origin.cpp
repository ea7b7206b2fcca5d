// Rows have no origin of their own (they would be half as large again). A serial number says which region, and which of
// its sends; that region is run again. Cost: its sends' expressions.
#include "compiler/send_origin.h"

#include "compiler/region_runner.h"

namespace quadrille {

RowOrigin origin_of(const Plan& plan, SendSerial serial) {
  Evaluator evaluator(plan.instance);
  RegionRunner runner(plan, evaluator);
  RowOrigin result;
  std::uint64_t number = serial & 0xffffffff;
  try {
    runner.run(static_cast<std::uint32_t>(serial >> 32), [&](const ResolvedSend& send) {
      if (number-- == 0) result = {send.span, runner.variables()};
    });
  } catch (const EvaluationError&) {
    return result;  // a limit: perhaps it is known by then
  }
  return result;
}

}  // namespace quadrille
