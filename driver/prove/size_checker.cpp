// Checks single sizes: the schedule is elaborated for one size and the table is checked, each size once. A size that
// the compiler refuses is wrong, unless it is refused for being large; then it is unknown. The diagnostics' codes
// distinguish these cases, and the place of errors in the fabric. Where the rows are limited, they are counted before
// they are checked; and a size whose invariants cost too much is judged without them: it is wrong if all else is wrong
// there, and unknown otherwise. Cost: that of the checker, for each size.
#include "driver/prove/size_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/ir.h"
#include "driver/search/optimal_claims.h"
#include "verifier/bounds.h"

namespace quadrille::driver {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 30;  // bytes, for the plan of a table
// Loops and calls for a row, where rows are limited: a send's own, and those of lists that it goes through.
constexpr std::uint64_t iterations_for_a_row = 16;
// The most processors of a size at which claims that nothing is better are weighed, where they count only if they are
// violated: bounds of a large fabric take long.
constexpr std::uint32_t most_processors_weighed = 512;

// Whether the compiler refuses a size because it is too large for a table: the error is on the fabric line, or about
// its limits. Every other error is a mistake in the schedule, at this size.
bool too_large(const Diagnostic& diagnostic, const ir::Schedule& schedule) {
  Span fabric = schedule.fabric.span;
  for (const ir::Argument& argument : schedule.fabric.arguments) fabric = cover(fabric, argument.span);
  const Span at = diagnostic.span;
  const bool in_fabric = at.source == fabric.source && at.begin >= fabric.begin && at.begin < fabric.end;
  return !at.known() || in_fabric || diagnostic.code == Code::limit;
}

SizeResult unchecked(const std::string& why) {
  SizeResult result;
  result.reason = Reason::limit;
  result.why = fmt::format("too large to check: {}", why);
  return result;
}

SizeResult stopped(Reason reason) {
  SizeResult result;
  result.reason = reason;
  result.why = reason == Reason::cancelled ? "interrupted"
               : reason == Reason::limit   ? "there was no memory left"
                                           : "not done in time";
  return result;
}

}  // namespace

const Violation* SizeResult::first(std::optional<Property> property) const {
  const Violation* other = nullptr;
  for (const Violation& violation : violations) {
    if (violation.property == property) return &violation;
    if (!other && !Report{}.only_warns(violation.property)) other = &violation;
  }
  return other;
}

const SizeResult& SizeChecker::at(const Arguments& arguments) {
  const auto known = known_.find(arguments);
  return known != known_.end() ? known->second : known_.emplace(arguments, judge(arguments)).first->second;
}

SizeResult SizeChecker::refusal(const Diagnostics& diagnostics) const {
  const Reason reason = reason_of(diagnostics);
  if (reason == Reason::timeout || reason == Reason::cancelled) return stopped(reason);
  SizeResult result;
  const bool large = std::any_of(diagnostics.begin(), diagnostics.end(),
                                 [&](const Diagnostic& diagnostic) { return too_large(diagnostic, *schedule_); });
  if (large) {
    result = unchecked(diagnostics.front().message);
  } else {
    result.verdict = Verdict::violated;
    result.refused = diagnostics;
  }
  return result;
}

Report SizeChecker::checked(const SendTable& table) const {
  CheckOptions options;
  options.listed_per_property = 1;
  options.limits = context_.limits;
  options.limits.progress = {};
  Report report = check_without_optimal(table, options);
  if (!claims_optimum(table)) return report;
  const bool search = optimal_ == OptimalClaims::judged;
  if (!search && report.verdict != Verdict::holds) return report;
  if (!search && table.fabric.processors() > most_processors_weighed) {
    report.verdict = Verdict::unknown;
    return report;
  }
  const Bound bound = best_bound(table.fabric, table.collective, report.steps, context_.limits);
  std::optional<Bound> volume;
  if (report.volume) volume = volume_bounds(table.fabric, table.collective, context_.limits).front();
  Report judged = report;
  judge_optimal_claims(table, {bound, volume, 1, search}, context_, judged);
  return search || judged.verdict == Verdict::violated ? judged : report;
}

bool SizeChecker::few_rows(const SendTable& table) const {
  if (most_rows_ == any_number) return true;
  if (const auto count = table.rows->row_count()) return *count <= most_rows_;
  const auto cursor = table.rows->open();
  std::uint64_t count = 0;
  while (const auto step = cursor->next()) {
    count += step->rows.size();
    if (count > most_rows_) return false;
  }
  return true;
}

SizeResult SizeChecker::judge(const Arguments& arguments) const {
  SizeResult result = judge(schedule_, arguments);
  if (most_rows_ == any_number || result.reason != Reason::limit || schedule_->invariants.empty()) return result;
  const auto plain = std::make_shared<ir::Schedule>(*schedule_);
  plain->invariants.clear();
  SizeResult without = judge(plain, arguments);
  return without.verdict == Verdict::violated ? without : result;
}

SizeResult SizeChecker::judge(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) const {
  if (const Reason reason = context_.limits.reached(); reason != Reason::none) return stopped(reason);
  ElaborateOptions options_for_size;
  options_for_size.limits = context_.limits;
  options_for_size.limits.memory = std::min(memory, context_.limits.memory);
  if (most_rows_ < any_number / iterations_for_a_row) options_for_size.iterations = most_rows_ * iterations_for_a_row;
  Result<SendTable> table = elaborate(schedule, arguments, options_for_size);
  if (!table) return refusal(table.diagnostics());
  if (!few_rows(*table)) return unchecked(fmt::format("its table has more than {} rows", most_rows_));

  const Report report = checked(*table);
  if (const Reason reason = report.ended_early; reason != Reason::none) return stopped(reason);
  SizeResult result;
  result.verdict = report.verdict;
  result.steps = report.steps;
  result.rows = report.rows;
  result.violations = report.violations;
  for (const PropertyResult& property : report.properties) {
    if (property.verdict != Verdict::unknown) continue;
    result.reason = property.reason;
    result.why = property.why;
  }
  if (result.verdict == Verdict::unknown && result.reason == Reason::none)
    return unchecked("a claim that nothing is better is not weighed there");
  return result;
}

}  // namespace quadrille::driver
