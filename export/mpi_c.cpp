// The program is a table of transfers for each rank, and a loop over them that is always the same: of each step, all
// receptions are begun, into a buffer of their own, then all sends; when the receptions have ended, and the sends that
// arrive in this step (through switches, those of steps before), what came is stored, or added up, in order. So nothing
// depends on which message is faster. No rank waits for ever: in step s it waits for what others begin in step s, or
// before. What a rank combines by itself it does at the end of a step.
#include "export/mpi_c.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "export/mpi_text.h"
#include "export/transfers.h"
#include "model/limits/work.h"

namespace quadrille::exporting {
namespace {

std::string_view c_space(const BufferSlot& slot) {
  return slot.buffer == Buffer::scratch ? "TMP" : slot.buffer == Buffer::output ? "OUT" : "IN";
}

std::string_view c_kind(const Instruction& it) {
  switch (it.what.action) {
    case Action::send:
      return "SEND";
    case Action::combine:
    case Action::combine_after:
      return "ADD";
    case Action::combine_before:
      return "ADD_BEFORE";
    case Action::copy:
      return "COPY";
    case Action::append:
      return "APPEND";
    case Action::store:
    case Action::keep:
    case Action::discard:
      break;
  }
  return "STORE";
}

class MpiProgram {
 public:
  MpiProgram(const ExportInput& input, const std::vector<ProcessorProgram>& ranks, const Sink& sink)
      : input_(input),
        call_(mpi_text::call_of(input.table.collective.kind())),
        ranks_(ranks),
        sink_(sink),
        work_(input.limits) {}

  void write() {
    const SendTable& table = input_.table;
    comment(fmt::format("fabric: {}", table.fabric.title()));
    comment(fmt::format("collective: {}", table.collective.notation()));
    if (!table.schedule.empty()) comment(fmt::format("schedule: {}", table.schedule));
    comment(fmt::format("mpicc -O2 this.c && mpirun -n {} ./a.out", ranks_.size()));
    std::uint64_t scratch = 0;
    for (const ProcessorProgram& rank : ranks_) scratch = std::max(scratch, rank.scratch);
    put(fmt::format(fmt::runtime(mpi_text::head), ranks_.size(), ranks_.front().input, ranks_.front().output, scratch,
                    table.collective.description().root, input_.deadline));
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) put_rank(rank);
    put_lists();
    const bool any_times = table.collective.combining() && table.collective.idempotent();
    put(any_times ? mpi_text::maximum : mpi_text::sum);
    put(mpi_text::run);
    put_main();
  }

 private:
  void put(std::string_view text) {
    work_.spend(text.size());
    sink_(text);
  }

  // A comment cannot be ended by a name.
  void comment(std::string text) {
    for (std::size_t at = text.find("*/"); at != text.npos; at = text.find("*/")) text.insert(at + 1, " ");
    put(fmt::format("/* {} */\n", text));
  }

  void put_rank(std::size_t rank) {
    put(fmt::format("static const struct transfer of_{}[] = {{\n", rank));
    for (const Instruction& it : ranks_[rank].instructions) {
      put(fmt::format("  {{{}u, {}u, {}, {}, {}, {}, {}, {}, {}, {}}},\n", it.what.step.value,
                      it.sends() ? it.what.there.value : it.what.step.value, c_kind(it), c_space(it.source),
                      c_space(it.target), it.local() ? -1 : number(it.what.peer.value), it.what.lane.value,
                      it.source.slot, it.target.slot, it.count));
    }
    put("  {0u, 0u, COPY, IN, OUT, -1, 0, 0, 0, 0}}; /* not counted: a list cannot be empty */\n");
  }

  static std::int64_t number(std::uint32_t value) { return value; }

  void put_lists() {
    put("static const struct transfer *const transfers[RANKS] = {");
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) put(fmt::format("{}of_{}", rank == 0 ? "" : ", ", rank));
    put("};\nstatic const int transfer_count[RANKS] = {");
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      put(fmt::format("{}{}", rank == 0 ? "" : ", ", ranks_[rank].instructions.size()));
    put(fmt::format("}};\nstatic int has_result(int rank) {{ return {}; }}\n",
                    call_.has_result.empty() ? "rank >= RANKS" : call_.has_result));
  }

  void put_main() {
    const bool barrier = call_.has_result.empty();
    put(fmt::format("#ifndef QUADRILLE_NO_MAIN\n#define WRONG \"{}\"\n\n",
                    barrier ? "a rank leaves before all have entered" : "not what MPI's own collective gives"));
    put("static void mpi_run(element *in, element *out, size_t chunk, MPI_Comm comm) {\n");
    put(call_.call);
    put("}\n\n");
    if (barrier) put(mpi_text::leaves_early);
    put(mpi_text::main_until_wrong);
    put(barrier ? "leaves_early(rank, in, out, (size_t)chunk)" : "0");
    put(mpi_text::main_from_wrong);
    put("#endif\n");
  }

  const ExportInput& input_;
  const mpi_text::MpiCall& call_;
  const std::vector<ProcessorProgram>& ranks_;
  const Sink& sink_;
  Work work_;
};

}  // namespace

const RankCalls& mpi_calls() {
  static const RankCalls calls = [] {
    RankCalls all{{}, true};
    for (const mpi_text::MpiCall& call : mpi_text::calls()) all.collectives.push_back(call.kind);
    return all;
  }();
  return calls;
}

Result<ExportOutcome> export_mpi_c(const ExportInput& input, const Sink& sink) {
  Result<std::vector<ProcessorProgram>> ranks = rank_programs(input.table, mpi_calls(), input.limits);
  if (!ranks) return ranks.diagnostics();
  ranks = merged_transfers(*std::move(ranks), std::numeric_limits<std::int32_t>::max(), input.limits);
  if (!ranks) return ranks.diagnostics();
  try {
    MpiProgram(input, *ranks, sink).write();
  } catch (const Ended& ended) {
    return error_at({}, fmt::format("not all has been written: {}", to_string(ended.reason)), code_of(ended.reason));
  }
  ExportOutcome outcome;
  outcome.notes.emplace_back(
      "steps are in order at each rank, and not in lock step: no rank waits for those that it needs nothing of");
  if (input.table.fabric.has_switches()) outcome.notes.push_back(left_out_switches());
  return outcome;
}

}  // namespace quadrille::exporting
