// Each property of a report in turn.
#include "export/judged_program.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace quadrille::exporting {
namespace {

using programs::ProgramProperty;
using programs::ProgramVerdict;

std::string first_finding(const programs::ProgramReport& report, ProgramProperty property) {
  for (const programs::Finding& finding : report.findings) {
    if (finding.property == property) return finding.message;
  }
  return report.of(property).why;
}

}  // namespace

Result<ExportOutcome> judged_outcome(const programs::ProgramReport& report, std::string_view executor,
                                     Unproved unproved, ExportOutcome outcome) {
  for (const ProgramProperty property : report.covers) {
    const programs::PropertyVerdict& verdict = report.of(property);
    if (verdict.verdict == ProgramVerdict::holds) continue;
    std::string what = fmt::format("{}: {}: {}", executor, to_string(property), first_finding(report, property));
    const bool limited = verdict.verdict == ProgramVerdict::unknown && verdict.reason != Reason::none &&
                         verdict.reason != Reason::unsupported;
    const bool only_noted = property == ProgramProperty::agreement || verdict.verdict == ProgramVerdict::conditional ||
                            (verdict.verdict == ProgramVerdict::unknown && unproved == Unproved::noted && !limited);
    if (only_noted) {
      outcome.notes.push_back(std::move(what));
    } else if (limited) {
      return error_at({}, fmt::format("nothing has been written: judging it: {}", to_string(verdict.reason)),
                      code_of(verdict.reason));
    } else {
      return error_at({}, std::move(what), Code::unsupported);
    }
  }
  return outcome;
}

}  // namespace quadrille::exporting
