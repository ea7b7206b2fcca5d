// The program is a table of transfers for each rank, and a loop over them that is always the same: of each step, all
// receptions are begun, into a buffer of their own, then all sends; when the receptions have ended, and the sends that
// arrive in this step (through switches, those of steps before), what came is stored, or added up, in order. So nothing
// depends on which message is faster. No rank waits for ever: in step s it waits for what others begin in step s, or
// before.
#include "export/mpi_c.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "export/rank_memory.h"
#include "export/rank_programs.h"
#include "export/transfers.h"
#include "model/limits/work.h"

namespace quadrille::exporting {
namespace {

using programs::ProgramFamily;

// Before the transfers: {0} the notes, {1} ranks, {2} chunks of the input, {3} output, {4} most scratch.
constexpr std::string_view head_of_program = R"(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {{ RANKS = {0}, INPUT = {1}, OUTPUT = {2}, SCRATCH = {3}, ROOT = {4} }}; /* chunks of each buffer */
enum kind {{ SEND, STORE, ADD, COPY }};
enum space {{ IN, OUT, TMP }};

/* `count` chunks; ADD puts source + what comes into the target. A send is over in the step `until`. */
struct transfer {{
  unsigned step, until;
  unsigned char kind, source_space, target_space;
  int peer, lane, source, target, count;
}};

)";

constexpr std::string_view body_of_program = R"(
/* The elements of a chunk. */
typedef long long element;
#define ELEMENT MPI_LONG_LONG

struct buffers {
  const element *in;
  element *out, *tmp;
  size_t chunk;
};

static const element *readable(const struct buffers *b, int space, int offset) {
  const element *base = space == IN ? b->in : space == OUT ? b->out : b->tmp;
  return base + (size_t)offset * b->chunk;
}

static element *writable(const struct buffers *b, int space, int offset) {
  return (space == OUT ? b->out : b->tmp) + (size_t)offset * b->chunk;
}

static void *allocated(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  return memory;
}

/* Sends that have begun. */
struct sends {
  MPI_Request *requests;
  unsigned *until;
  int count;
};

/* Moves those that are over in this step to the others that are waited for. */
static int take_due(struct sends *s, unsigned step, MPI_Request *requests, int pending) {
  int left = 0;
  for (int i = 0; i < s->count; ++i) {
    if (s->until[i] <= step) {
      requests[pending++] = s->requests[i];
    } else {
      s->requests[left] = s->requests[i];
      s->until[left++] = s->until[i];
    }
  }
  s->count = left;
  return pending;
}

/* Transfers of one step: receptions and sends together, then what came is put where it belongs. */
static void run_step(const struct transfer *first, const struct transfer *end, const struct buffers *b,
                     element *arrived, MPI_Request *requests, struct sends *s, MPI_Comm comm) {
  int pending = 0;
  element *room = arrived;
  for (const struct transfer *t = first; t < end; ++t) {
    if (t->kind != STORE && t->kind != ADD) continue;
    MPI_Irecv(room, (int)(t->count * b->chunk), ELEMENT, t->peer, t->lane, comm, &requests[pending++]);
    room += t->count * b->chunk;
  }
  for (const struct transfer *t = first; t < end; ++t) {
    if (t->kind != SEND) continue;
    MPI_Isend(readable(b, t->source_space, t->source), (int)(t->count * b->chunk), ELEMENT, t->peer, t->lane, comm,
              &s->requests[s->count]);
    s->until[s->count++] = t->until;
  }
  pending = take_due(s, first->step, requests, pending);
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  room = arrived;
  for (const struct transfer *t = first; t < end; ++t) {
    if (t->kind == SEND) continue;
    const size_t elements = t->count * b->chunk;
    element *target = writable(b, t->target_space, t->target);
    if (t->kind == STORE) {
      memcpy(target, room, elements * sizeof(element));
    } else if (t->kind == COPY) {
      memcpy(target, readable(b, t->source_space, t->source), elements * sizeof(element));
    } else {
      const element *source = readable(b, t->source_space, t->source);
      for (size_t i = 0; i < elements; ++i) target[i] = source[i] + room[i];
    }
    if (t->kind != COPY) room += elements;
  }
}

/* INPUT and OUTPUT chunks of so many elements each; at most 2^31-1 elements in one message. */
void quadrille_run(const element *in, element *out, size_t chunk, MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  const struct transfer *begin = transfers[rank], *end = begin + transfer_count[rank];
  size_t most = 0, count = 0;
  for (const struct transfer *t = begin; t < end;) {
    size_t chunks = 0;
    const unsigned step = t->step;
    for (; t < end && t->step == step; ++t) {
      if (t->kind != COPY) ++count;
      if (t->kind == STORE || t->kind == ADD) chunks += t->count;
    }
    if (chunks > most) most = chunks;
  }
  struct buffers b = {in, out, allocated(SCRATCH * chunk * sizeof(element)), chunk};
  element *arrived = allocated(most * chunk * sizeof(element));
  MPI_Request *requests = allocated(count * sizeof(MPI_Request));
  struct sends s = {allocated(count * sizeof(MPI_Request)), allocated(count * sizeof(unsigned)), 0};
  for (const struct transfer *t = begin; t < end;) {
    const struct transfer *first = t;
    while (t < end && t->step == first->step) ++t;
    run_step(first, t, &b, arrived, requests, &s, comm);
  }
  MPI_Waitall(take_due(&s, (unsigned)-1, requests, 0), requests, MPI_STATUSES_IGNORE);
  free(s.until);
  free(s.requests);
  free(requests);
  free(arrived);
  free(b.tmp);
}

#ifndef QUADRILLE_NO_MAIN
static void mpi_run(element *in, element *out, size_t chunk, MPI_Comm comm);

/* Arguments: the elements of a chunk, and how often to run. */
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long chunk = argc > 1 ? atol(argv[1]) : 1024, times = argc > 2 ? atol(argv[2]) : 1;
  if (size != RANKS || chunk < 1 || times < 1) {
    if (rank == 0) fprintf(stderr, "usage: mpirun -n %d PROGRAM [ELEMENTS [TIMES]]\n", RANKS);
    MPI_Finalize();
    return 2;
  }
  const size_t in_bytes = INPUT * (size_t)chunk * sizeof(element), out_bytes = OUTPUT * (size_t)chunk * sizeof(element);
  element *in = allocated(in_bytes), *kept = allocated(in_bytes);
  element *out = allocated(out_bytes), *due = allocated(out_bytes);
  for (size_t i = 0; i < in_bytes / sizeof(element); ++i) in[i] = (element)(i * 2654435761u % 1000003 + 1000003u * rank);
  memcpy(kept, in, in_bytes);
  double ours = 0, theirs = 0;
  int wrong = 0;
  for (long k = 0; k < times; ++k) {
    memset(out, 0x5a, out_bytes);
    memset(due, 0x5a, out_bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    quadrille_run(in, out, (size_t)chunk, MPI_COMM_WORLD);
    ours += MPI_Wtime() - start;
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    mpi_run(kept, due, (size_t)chunk, MPI_COMM_WORLD);
    theirs += MPI_Wtime() - start;
    if (has_result(rank) && memcmp(out, due, out_bytes)) wrong = 1;
    if (memcmp(in, kept, in_bytes)) wrong = 1;
  }
  int any = 0;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%s\n%.1f us a run, %.1f us by MPI itself\n", any ? "wrong: not what MPI's own collective gives" : "right",
           ours / times * 1e6, theirs / times * 1e6);
  }
  MPI_Finalize();
  return any;
}

)";

// MPI's own collective, and which ranks have a result. After: `#endif`.
std::string_view mpi_call(ProgramFamily family) {
  switch (family) {
    case ProgramFamily::allreduce:
      return "  MPI_Allreduce(in, out, (int)(INPUT * chunk), ELEMENT, MPI_SUM, comm);\n";
    case ProgramFamily::allgather:
      return "  MPI_Allgather(in, (int)(INPUT * chunk), ELEMENT, out, (int)(INPUT * chunk), ELEMENT, comm);\n";
    case ProgramFamily::reducescatter:
      return "  MPI_Reduce_scatter_block(in, out, (int)(OUTPUT * chunk), ELEMENT, MPI_SUM, comm);\n";
    case ProgramFamily::alltoall:
      return "  const int each = (int)(INPUT / RANKS * chunk);\n"
             "  MPI_Alltoall(in, each, ELEMENT, out, each, ELEMENT, comm);\n";
    case ProgramFamily::broadcast:
      return "  int rank;\n"
             "  MPI_Comm_rank(comm, &rank);\n"
             "  if (rank == ROOT) memcpy(out, in, OUTPUT * chunk * sizeof(element));\n"
             "  MPI_Bcast(out, (int)(OUTPUT * chunk), ELEMENT, ROOT, comm);\n";
    case ProgramFamily::reduce:
      return "  MPI_Reduce(in, out, (int)(INPUT * chunk), ELEMENT, MPI_SUM, ROOT, comm);\n";
    case ProgramFamily::other:
      break;
  }
  return {};
}

std::string_view c_space(const BufferSlot& slot) {
  return slot.buffer == Buffer::scratch ? "TMP" : slot.buffer == Buffer::output ? "OUT" : "IN";
}

std::string_view c_kind(const Instruction& it) {
  return it.sends() ? "SEND" : it.copies() ? "COPY" : it.combines() ? "ADD" : "STORE";
}

class MpiProgram {
 public:
  MpiProgram(const ExportInput& input, const std::vector<ProcessorProgram>& ranks, const Sink& sink)
      : input_(input), ranks_(ranks), sink_(sink), work_(input.limits) {}

  void write() {
    const SendTable& table = input_.table;
    comment(fmt::format("fabric: {}", table.fabric.notation()));
    comment(fmt::format("collective: {}", table.collective.notation()));
    if (!table.schedule.empty()) comment(fmt::format("schedule: {}", table.schedule));
    comment(fmt::format("mpicc -O2 this.c && mpirun -n {} ./a.out", ranks_.size()));
    std::uint64_t scratch = 0;
    for (const ProcessorProgram& rank : ranks_) scratch = std::max(scratch, rank.scratch);
    put(fmt::format(head_of_program, ranks_.size(), ranks_.front().input, ranks_.front().output, scratch,
                    table.collective.description().root));
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) put_rank(rank);
    put_lists();
    put(body_of_program);
    const ProgramFamily family = family_of(table.collective);
    put("static void mpi_run(element *in, element *out, size_t chunk, MPI_Comm comm) {\n");
    put(mpi_call(family));
    put("}\n#endif\n");
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
                      c_space(it.target), it.copies() ? -1 : number(it.what.peer.value), it.what.lane.value,
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
    const bool at_root = family_of(input_.table.collective) == ProgramFamily::reduce;
    put(fmt::format("}};\nstatic int has_result(int rank) {{ return {}; }}\n",
                    at_root ? "rank == ROOT" : "rank < RANKS"));
  }

  const ExportInput& input_;
  const std::vector<ProcessorProgram>& ranks_;
  const Sink& sink_;
  Work work_;
};

}  // namespace

Result<ExportOutcome> export_mpi_c(const ExportInput& input, const Sink& sink) {
  Result<std::vector<ProcessorProgram>> ranks = rank_programs(input.table, input.limits);
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
