// A mend is judged as a reader will see it: the changed text is read again.
#include "driver/check/mend_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/files/write_file.h"
#include "programs/judge.h"
#include "programs/msccl/mend.h"
#include "programs/msccl/xml.h"

namespace quadrille::driver {
namespace {

using programs::MscclCall;
using programs::MscclFile;

// The verdict on the written text, which is read and judged again.
programs::ProgramVerdict judged_again(const std::string& text, const std::vector<MscclCall>& calls, bool agreement,
                                      const Context& context) {
  const Result<MscclFile> file = programs::read_msccl_xml({"mended", text}, 0, context.limits);
  if (!file) return programs::ProgramVerdict::unknown;
  programs::ProgramVerdict all = programs::ProgramVerdict::holds;
  for (const MscclCall& call : calls) {
    programs::LoadedMsccl loaded = programs::load_msccl(*file, call, 0);
    loaded.report.agreement_demanded = agreement;
    programs::judge(loaded.program, loaded.report, {0, remaining(context)});
    all = worse(all, loaded.report.verdict());
  }
  return all;
}

bool same(const std::optional<programs::Location>& a, const std::optional<programs::Location>& b) {
  return a && b && a->span == b->span;
}

void tell_mend(const programs::MscclChange& change, CheckProgramOutcome& outcome) {
  for (JudgedCall& call : outcome.calls) {
    for (programs::Finding& finding : call.report.findings) {
      const bool race = (same(finding.at, change.from) && same(finding.other, change.to)) ||
                        (same(finding.at, change.to) && same(finding.other, change.from));
      const bool hang = finding.property == programs::ProgramProperty::deadlock && !change.to;
      if (race || hang) finding.mend = change.text;
    }
  }
}

}  // namespace

Result<bool> mend_program(const CheckProgramRequest& request, const MscclFile& file,
                          const std::vector<MscclCall>& calls, Context& context, CheckProgramOutcome& outcome) {
  const bool timing = outcome.verdict(programs::ProgramProperty::race) == programs::ProgramVerdict::violated ||
                      outcome.verdict(programs::ProgramProperty::deadlock) == programs::ProgramVerdict::violated;
  const bool too_many = std::any_of(outcome.calls.begin(), outcome.calls.end(), [](const JudgedCall& call) {
    return call.report.of(programs::ProgramProperty::race).partial;
  });
  if (!timing || too_many) return true;
  tell_stage(context, "looking for a mend");
  const auto mended = programs::mend_msccl(file, calls, remaining(context));
  if (!mended) return true;
  const std::string text = programs::edit_msccl_xml(context.sources[file.span.source].text, file, mended->file);
  outcome.mend = Mend{{}, judged_again(text, calls, request.agreement, context), request.mend, {}};
  for (const programs::MscclChange& change : mended->changes) {
    outcome.mend->changes.push_back(change.text);
    tell_mend(change, outcome);
  }
  if (outcome.order) outcome.mend->edges = programs::added_edges(mended->changes, *outcome.order);
  if (request.mend.empty()) return true;
  if (auto failure = write_file(request.mend, text, context.environment))
    return error_at({}, *std::move(failure), Code::file);
  return true;
}

}  // namespace quadrille::driver
