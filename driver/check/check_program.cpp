// The command `check` on MSCCL XML. The file is read, loaded as its executor loads it, once for each kind of call,
// and judged.
#include "driver/check/check_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/files/write_file.h"
#include "driver/inputs/context.h"
#include "driver/inputs/costs.h"
#include "driver/inputs/input.h"
#include "model/text/number_in.h"
#include "model/text/printable.h"
#include "model/text/result.h"
#include "programs/deadlock.h"
#include "programs/judge.h"
#include "programs/msccl/load.h"
#include "programs/msccl/mend.h"
#include "programs/msccl/xml.h"

namespace quadrille::driver {
namespace {

// --- mends ---------------------------------------------------------------------------------------------------------

// mend_program looks for a mend of an MSCCL XML file after the file was judged.
//
// A mend is judged as a reader will see it: the changed text is read again.

using programs::Executor;
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

// Adds a mend to the outcome if only the timing is wrong and a mend is found, and writes the mended file if
// requested. Requires that the calls of the outcome are judged.
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

// --- the request ---------------------------------------------------------------------------------------------------

constexpr std::size_t enough_to_recognise = 256;

Diagnostic usage(std::string message) { return error_at({}, std::move(message), Code::usage); }

Result<std::uint64_t> parse_bytes(const std::string& option, const std::string& text) {
  Result<std::uint64_t> size = parse_size(text);
  if (size) return size;
  return usage(fmt::format("{}: `{}`; expected a number of bytes, such as 4096, 64KiB or 1MiB", option, text));
}

Result<programs::ByteRange> parse_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  const Result<std::uint64_t> from = parse_bytes("--bytes", text.substr(0, dots));
  if (!from) return from.diagnostics();
  if (dots == text.npos) return programs::ByteRange{*from, *from};
  const std::string end = text.substr(dots + 2);
  if (end.empty()) return programs::ByteRange{*from, 0};
  const Result<std::uint64_t> to = parse_bytes("--bytes", end);
  if (!to) return to.diagnostics();
  if (*to < *from) return usage(fmt::format("--bytes {}: the range is empty", text));
  return programs::ByteRange{*from, *to};
}

// The strictest executor: if only one parser knows a word of the file, that one; else rccl, which has the smallest
// limits, and whose LL sends end early.
const Executor& strictest(const MscclFile& file) {
  const bool msccl_only = file.collective == "reduce_scatter" || file.collective == "custom" ||
                          (!file.out_of_place && !file.least_bytes && !file.most_bytes);
  return *programs::executor_named(msccl_only ? "msccl" : "rccl");
}

std::vector<bool> ways(const CheckProgramRequest& request, const MscclFile& file) {
  if (request.in_place || request.out_of_place) {
    std::vector<bool> result;
    if (request.out_of_place) result.push_back(false);
    if (request.in_place) result.push_back(true);
    return result;
  }
  const bool out_of_place = file.out_of_place.value_or(!file.in_place);
  if (file.in_place && out_of_place) return {false, true};
  return {file.in_place};
}

struct Where {
  std::uint32_t rank = 0;
  std::optional<std::uint32_t> block = {};
};
Result<std::optional<Where>> parse_where(const std::string& text) {
  if (text.empty()) return std::optional<Where>();
  const std::size_t colon = text.find(':');
  const auto rank = number_in<std::uint64_t>(text.substr(0, colon));
  const auto block =
      colon == text.npos ? std::optional<std::uint64_t>(0) : number_in<std::uint64_t>(text.substr(colon + 1));
  if (!rank || !block || *rank > 65535 || *block > 65535) {
    return usage(fmt::format("--why-hang {}: expected RANK or RANK:BLOCK", text));
  }
  Where where{static_cast<std::uint32_t>(*rank), {}};
  if (colon != text.npos) where.block = static_cast<std::uint32_t>(*block);
  return std::optional(where);
}

// The waits that begin where a block of that rank hangs, with the smallest message that hangs, or else with the
// smallest buffer. Throws Ended.
std::vector<programs::Stuck> why_hang(const programs::Program& program, const Where& where, const Limits& limits) {
  Work work(limits);
  programs::ProgramReport scratch;
  const programs::ProgramNetwork network = programs::connect(program, scratch, 0, work);
  if (scratch.of(programs::ProgramProperty::structure).verdict == programs::ProgramVerdict::violated) return {};
  std::vector<std::uint32_t> sizes;
  for (const programs::Regime& regime : program.regimes) sizes.push_back(regime.together);
  if (!program.buffers.empty()) sizes.push_back(1);
  for (const std::uint32_t together : sizes) {
    const auto at = programs::find_deadlock(program, network, together, work);
    if (!at) continue;
    for (std::uint32_t block = 0; block < network.blocks.size(); ++block) {
      const programs::Lane& lane = network.blocks[block];
      const bool meant = lane.rank == where.rank && where.block.value_or(lane.block->id) == lane.block->id;
      if (meant && at->at[block] != programs::none) {
        return programs::described(network, *at, programs::chain(*at, block));
      }
    }
  }
  return {};
}

Result<Source> read(const std::string& file, Context& context) {
  Result<std::string> text = text_of(file, context);
  if (!text) return text.diagnostics();
  return Source{file, *std::move(text)};
}

CheckProgramOutcome described(const MscclFile& file, const MscclCall& call) {
  CheckProgramOutcome outcome;
  outcome.name = printable(file.name);
  outcome.format = "msccl_xml";
  outcome.consumer = call.executor->name;
  outcome.protocol = to_string(file.protocol);
  outcome.collective = call.family ? std::string(to_string(*call.family)) : printable(file.collective);
  if (call.family == programs::ProgramFamily::broadcast || call.family == programs::ProgramFamily::reduce) {
    outcome.collective += fmt::format(":{}", call.root);
  }
  outcome.ranks = static_cast<std::uint64_t>(file.ranks);
  outcome.chunks = static_cast<std::uint64_t>(file.chunks);
  outcome.bytes_from = call.bytes_from;
  outcome.bytes_to = call.bytes_to;
  outcome.buffer = call.buffer.value_or(programs::default_buffer(*call.executor, file.protocol));
  for (const programs::MscclRank& rank : file.members) {
    outcome.blocks += rank.blocks.size();
    for (const programs::MscclBlock& block : rank.blocks) outcome.steps += block.steps.size();
  }
  return outcome;
}

// Adds a note on the root of a broadcast, which is not in the file.
void note_root(const MscclCall& call, const programs::Program& program, const CheckProgramRequest& request,
               programs::ProgramReport& report) {
  const bool rooted =
      program.family == programs::ProgramFamily::broadcast || program.family == programs::ProgramFamily::reduce;
  if (!rooted || request.collective.find(':') != request.collective.npos) return;
  report.notes.push_back(
      {"root", fmt::format("the file does not say its root: judged with rank {} (--collective)", call.root), {}});
}

Result<MscclCall> make_call(const CheckProgramRequest& request, const MscclFile& file) {
  MscclCall call;
  call.executor = request.consumer.empty() ? &strictest(file) : programs::executor_named(request.consumer);
  if (call.executor == nullptr) return usage(fmt::format("--for {}: expected msccl, azure or rccl", request.consumer));
  if (!request.collective.empty()) {
    const Result<CalledCollective> called = called_collective(request.collective);
    if (!called) return called.diagnostics();
    call.family = called->family;
    call.root = called->root;
  }
  const programs::ByteRange own = programs::bytes_of(file, *call.executor);
  Result<programs::ByteRange> range = request.bytes.empty() ? Result(own) : parse_range(request.bytes);
  if (!range) return range.diagnostics();
  call.bytes_from = range->from;
  call.bytes_to = range->to;
  if (request.buffer.empty()) return call;
  const Result<std::uint64_t> buffer = parse_bytes("--buffer", request.buffer);
  if (!buffer) return buffer.diagnostics();
  call.buffer = *buffer;
  return call;
}

}  // namespace

Result<CalledCollective> called_collective(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  CalledCollective called;
  for (const Executor& executor : programs::executors()) {
    const auto family = programs::family_of(executor, word);
    if (family && *family != programs::ProgramFamily::other) called.family = *family;
  }
  if (called.family == programs::ProgramFamily::other) {
    return usage(
        fmt::format("--collective {}: expected allreduce, allgather, reducescatter, alltoall, broadcast:ROOT or "
                    "reduce:ROOT",
                    text));
  }
  if (colon == text.npos) return called;
  const auto root = number_in<std::uint64_t>(text.substr(colon + 1));
  const bool rooted =
      called.family == programs::ProgramFamily::broadcast || called.family == programs::ProgramFamily::reduce;
  if (!root || *root > 65535 || !rooted)
    return usage(
        fmt::format("--collective {}: expected a rank after a colon of "
                    "broadcast or reduce only",
                    text));
  called.root = static_cast<std::uint32_t>(*root);
  return called;
}

programs::ProgramVerdict CheckProgramOutcome::verdict() const {
  programs::ProgramVerdict all = programs::ProgramVerdict::holds;
  for (const JudgedCall& call : calls) all = worse(all, call.report.verdict());
  return all;
}

programs::ProgramVerdict CheckProgramOutcome::verdict(programs::ProgramProperty property) const {
  programs::ProgramVerdict all = programs::ProgramVerdict::holds;
  for (const JudgedCall& call : calls) all = worse(all, call.report.of(property).verdict);
  return all;
}

bool is_msccl(const std::string& file, Context& context) {
  if (file == "-") return false;
  const auto beginning = context.environment.read_beginning(file, enough_to_recognise);
  return beginning && programs::is_msccl_xml(*beginning);
}

Result<OpenedProgram> open_program(const CheckProgramRequest& request, Context& context) {
  Result<Source> source = read(request.file, context);
  if (!source) return source.diagnostics();
  context.sources.push_back(*std::move(source));
  const auto index = static_cast<std::uint32_t>(context.sources.size() - 1);
  tell_stage(context, "reading the program");
  Result<MscclFile> file = programs::read_msccl_xml(context.sources.back(), index, context.limits);
  if (!file) return file.diagnostics();
  Result<MscclCall> call = make_call(request, *file);
  if (!call) return call.diagnostics();
  OpenedProgram opened{*std::move(file), {}};
  for (const bool in_place : ways(request, opened.file)) {
    call->in_place = in_place;
    opened.calls.push_back(*call);
  }
  return opened;
}

Result<CheckProgramOutcome> run(const CheckProgramRequest& request, Context& context) {
  const Result<std::optional<Where>> where = parse_where(request.why_hang);
  if (!where) return where.diagnostics();
  const Result<OpenedProgram> opened = open_program(request, context);
  if (!opened) return opened.diagnostics();
  const auto& [file, calls] = *opened;
  CheckProgramOutcome outcome = described(file, calls.front());
  outcome.consumer_chosen = request.consumer.empty();
  outcome.asked_why_hang = where->has_value();
  outcome.asked_mend = !request.mend.empty();
  outcome.order_listed = request.operations;
  tell_stage(context, "judging the program");
  for (const MscclCall& call : calls) {
    programs::LoadedMsccl loaded = programs::load_msccl(file, call, request.listed);
    loaded.report.agreement_demanded = request.agreement;
    const bool first = (request.operations || request.order) && !outcome.order;
    if (first) outcome.order.emplace();
    programs::judge(loaded.program, loaded.report,
                    {request.listed, remaining(context), first ? &*outcome.order : nullptr});
    note_root(call, loaded.program, request, loaded.report);
    JudgedCall judged{call.in_place, std::move(loaded.report)};
    try {
      if (*where) judged.why_hang = why_hang(loaded.program, **where, remaining(context));
    } catch (const Ended& ended) {
      return error_at({}, fmt::format("--why-hang has no answer: {}", to_string(ended.reason)), code_of(ended.reason));
    }
    outcome.calls.push_back(std::move(judged));
  }
  if (const Result<bool> done = mend_program(request, file, calls, context, outcome); !done) return done.diagnostics();
  return outcome;
}

}  // namespace quadrille::driver
