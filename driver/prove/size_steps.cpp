// Sizes are checked one after another, each by a `check` of its own.
#include "driver/prove/size_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "driver/check/check.h"
#include "driver/prove/prove.h"

namespace quadrille::driver {
namespace {

constexpr std::int64_t most_value = 1 << 16;
constexpr std::uint64_t most_rows = 1'000'000;

// The next value of 1 … 8, 12, 16, 24, 32, …
std::int64_t value_after(std::int64_t value) {
  if (value < 8) return value + 1;
  const bool power = (value & (value - 1)) == 0;
  return power ? value / 2 * 3 : value / 3 * 4;
}

Result<std::string> one_open(const ir::Schedule& schedule, const Arguments& given) {
  const std::vector<std::string> open = open_sizes(schedule, given);
  if (open.size() == 1) return open.front();
  return error_at({},
                  fmt::format("{} has {} parameters left that sizes could be given to{}{}; expected one", schedule.name,
                              open.size(), open.empty() ? "" : ": ", fmt::join(open, ", ")),
                  Code::usage);
}

CheckRequest request_for(const TableRequest& input, const std::string& parameter, std::int64_t value) {
  CheckRequest request;
  request.input = input;
  request.input.defines.push_back(fmt::format("{}={}", parameter, value));
  request.claims = false;
  return request;
}

SizeSteps measured_at(std::int64_t value, const CheckOutcome& outcome) {
  return {value, outcome.table.fabric.processors(), outcome.report.steps, outcome.bound.steps};
}

}  // namespace

Result<SizeStepsOutcome> size_steps(const TableRequest& request, std::uint32_t most_processors, Context& context) {
  const Result<OpenedSchedule> opened = open_schedule(request.file, request.defines, context);
  if (!opened) return opened.diagnostics();
  const Result<std::string> parameter = one_open(*opened->schedule, opened->given);
  if (!parameter) return parameter.diagnostics();
  SizeStepsOutcome outcome{opened->schedule->name, *parameter, false, {}};
  Diagnostics wrong;
  for (std::int64_t value = 1; value <= most_value; value = value_after(value)) {
    if (outcome.cut = context.limits.reached(); outcome.cut != Reason::none) break;
    Arguments arguments = opened->given;
    arguments[*parameter] = fmt::to_string(value);
    if (!check_arguments(opened->schedule, arguments).empty()) continue;
    const Result<CheckOutcome> checked = run(request_for(request, *parameter, value), context);
    if (!checked) {
      wrong = checked.diagnostics();
      if (reason_of(wrong) != Reason::none) break;
      continue;
    }
    if (checked->table.fabric.processors() > most_processors) break;
    outcome.rounds = checked->table.fabric.in_rounds();
    const bool right = checked->table_verdict() == Verdict::holds && checked->report.steps > 0;
    if (right) outcome.sizes.push_back(measured_at(value, *checked));
    if (checked->report.rows > most_rows) break;  // the next size has more
  }
  if (!outcome.sizes.empty()) return outcome;
  if (!wrong.empty()) return wrong;
  return error_at({},
                  fmt::format("{} has no table that holds and sends anything up to {} processors", outcome.schedule,
                              most_processors),
                  Code::missing);
}

}  // namespace quadrille::driver
