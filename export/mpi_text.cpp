// MPI's own collectives, and the C in exported programs that is the same for all tables.
#include "export/mpi_text.h"

#include <algorithm>

namespace quadrille::exporting::mpi_text {

namespace {

constexpr std::string_view everyone = "rank < RANKS";
constexpr std::string_view the_root = "rank == ROOT";
constexpr std::string_view all_but_the_first = "rank > 0";  // whose result MPI leaves undefined
constexpr std::string_view nobody;

constexpr MpiCall mpi_list[] = {
    {CollectiveKind::broadcast, everyone,
     "  int rank;\n"
     "  MPI_Comm_rank(comm, &rank);\n"
     "  if (rank == ROOT) memcpy(out, in, OUTPUT * chunk * sizeof(element));\n"
     "  MPI_Bcast(out, (int)(OUTPUT * chunk), ELEMENT, ROOT, comm);\n"},
    {CollectiveKind::scatter, everyone,
     "  const int each = (int)(OUTPUT * chunk);\n"
     "  MPI_Scatter(in, each, ELEMENT, out, each, ELEMENT, ROOT, comm);\n"},
    {CollectiveKind::gather, the_root,
     "  const int each = (int)(INPUT * chunk);\n"
     "  MPI_Gather(in, each, ELEMENT, out, each, ELEMENT, ROOT, comm);\n"},
    {CollectiveKind::allgather, everyone,
     "  MPI_Allgather(in, (int)(INPUT * chunk), ELEMENT, out, (int)(INPUT * chunk), ELEMENT, comm);\n"},
    {CollectiveKind::total_exchange, everyone,
     "  const int each = (int)(INPUT / RANKS * chunk);\n"
     "  MPI_Alltoall(in, each, ELEMENT, out, each, ELEMENT, comm);\n"},
    {CollectiveKind::reduce, the_root,
     "  MPI_Reduce(in, out, (int)(INPUT * chunk), ELEMENT, OPERATION, ROOT, comm);\n"},
    {CollectiveKind::reduce_scatter, everyone,
     "  MPI_Reduce_scatter_block(in, out, (int)(OUTPUT * chunk), ELEMENT, OPERATION, comm);\n"},
    {CollectiveKind::allreduce, everyone,
     "  MPI_Allreduce(in, out, (int)(INPUT * chunk), ELEMENT, OPERATION, comm);\n"},
    {CollectiveKind::prefix, everyone, "  MPI_Scan(in, out, (int)(INPUT * chunk), ELEMENT, OPERATION, comm);\n"},
    {CollectiveKind::exclusive_prefix, all_but_the_first,
     "  MPI_Exscan(in, out, (int)(INPUT * chunk), ELEMENT, OPERATION, comm);\n"},
    {CollectiveKind::barrier, nobody,
     "  (void)in, (void)out, (void)chunk;\n"
     "  MPI_Barrier(comm);\n"}};

}  // namespace

std::span<const MpiCall> calls() { return mpi_list; }

const MpiCall& call_of(CollectiveKind kind) { return *std::ranges::find(mpi_list, kind, &MpiCall::kind); }

const std::string_view head = R"(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {{ RANKS = {0}, INPUT = {1}, OUTPUT = {2}, SCRATCH = {3}, ROOT = {4} }}; /* chunks of each buffer */
#ifndef DEADLINE
#define DEADLINE {5} /* seconds that a rank waits in one step; 0: as long as it takes */
#endif
enum kind {{ SEND, STORE, ADD, ADD_BEFORE, COPY, APPEND }};
enum space {{ IN, OUT, TMP }};

/* `count` chunks. ADD puts source + what comes into the target, ADD_BEFORE what comes + source, APPEND target + source.
   A message is over in the step `until`. */
struct transfer {{
  unsigned step, until;
  unsigned char kind, source_space, target_space;
  int peer, lane, source, target, count;
}};

)";

const std::string_view sum = R"(
/* The elements of a chunk, and what becomes of two, in this order: their sum. */
typedef long long element;
#define ELEMENT MPI_LONG_LONG
#define COMBINED(a, b) ((a) + (b))
#define OPERATION MPI_SUM

)";

const std::string_view maximum = R"(
/* The elements of a chunk, and what becomes of two, in this order: the larger one. */
typedef long long element;
#define ELEMENT MPI_LONG_LONG
#define COMBINED(a, b) ((a) > (b) ? (a) : (b))
#define OPERATION MPI_MAX

)";

const std::string_view run = R"(struct buffers {
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

/* Messages that have begun, and their transfers. */
struct messages {
  MPI_Request *requests;
  const struct transfer **of;
  int count;
};

static struct messages room_for(size_t count) {
  struct messages m = {allocated(count * sizeof(MPI_Request)), allocated(count * sizeof(struct transfer *)), 0};
  return m;
}

static MPI_Request *begun(struct messages *m, const struct transfer *t) {
  m->of[m->count] = t;
  return &m->requests[m->count++];
}

/* Moves sends that are over in this step to the others that are waited for. */
static void take_due(struct messages *sends, unsigned step, struct messages *due) {
  int left = 0;
  for (int i = 0; i < sends->count; ++i) {
    const struct transfer *t = sends->of[i];
    if (t->until <= step) {
      *begun(due, t) = sends->requests[i];
    } else {
      sends->requests[left] = sends->requests[i];
      sends->of[left++] = t;
    }
  }
  sends->count = left;
}

/* Ends the job if one of them is not over: it has been waited for too long. */
static void check_over(const struct messages *m, int rank) {
  for (int i = 0; i < m->count; ++i) {
    int over;
    MPI_Test(&m->requests[i], &over, MPI_STATUS_IGNORE);
    if (over) continue;
    fprintf(stderr, "rank %d has waited %g s in step %u for rank %d\n", rank, (double)DEADLINE, m->of[i]->until,
            m->of[i]->peer);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

static void wait_for_all(struct messages *m, MPI_Comm comm) {
  if (DEADLINE <= 0) {
    MPI_Waitall(m->count, m->requests, MPI_STATUSES_IGNORE);
  } else {
    const double start = MPI_Wtime();
    int over = 0, rank;
    MPI_Comm_rank(comm, &rank);
    while (!over) {
      MPI_Testall(m->count, m->requests, &over, MPI_STATUSES_IGNORE);
      if (!over && MPI_Wtime() - start > DEADLINE) check_over(m, rank);
    }
  }
  m->count = 0;
}

static int receives(const struct transfer *t) { return t->kind >= STORE && t->kind <= ADD_BEFORE; }

/* What came, or is here already, is put where it belongs. */
static void put(const struct transfer *t, const struct buffers *b, const element *came) {
  const size_t elements = t->count * b->chunk;
  const element *source = readable(b, t->source_space, t->source);
  element *target = writable(b, t->target_space, t->target);
  switch (t->kind) {
    case STORE:
      memcpy(target, came, elements * sizeof(element));
      break;
    case ADD:
      for (size_t i = 0; i < elements; ++i) target[i] = COMBINED(source[i], came[i]);
      break;
    case ADD_BEFORE:
      for (size_t i = 0; i < elements; ++i) target[i] = COMBINED(came[i], source[i]);
      break;
    case COPY:
      memcpy(target, source, elements * sizeof(element));
      break;
    case APPEND:
      for (size_t i = 0; i < elements; ++i) target[i] = COMBINED(target[i], source[i]);
      break;
  }
}

/* Transfers of one step: receptions and sends together, then what came is put where it belongs. */
static void run_step(const struct transfer *first, const struct transfer *end, const struct buffers *b,
                     element *arrived, struct messages *due, struct messages *sends, MPI_Comm comm) {
  element *room = arrived;
  for (const struct transfer *t = first; t < end; ++t) {
    if (!receives(t)) continue;
    MPI_Irecv(room, (int)(t->count * b->chunk), ELEMENT, t->peer, t->lane, comm, begun(due, t));
    room += t->count * b->chunk;
  }
  for (const struct transfer *t = first; t < end; ++t) {
    if (t->kind != SEND) continue;
    MPI_Isend(readable(b, t->source_space, t->source), (int)(t->count * b->chunk), ELEMENT, t->peer, t->lane, comm,
              begun(sends, t));
  }
  take_due(sends, first->step, due);
  wait_for_all(due, comm);
  room = arrived;
  for (const struct transfer *t = first; t < end; ++t) {
    if (t->kind == SEND) continue;
    put(t, b, room);
    if (receives(t)) room += t->count * b->chunk;
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
      if (t->kind == SEND || receives(t)) ++count;
      if (receives(t)) chunks += t->count;
    }
    if (chunks > most) most = chunks;
  }
  struct buffers b = {in, out, allocated(SCRATCH * chunk * sizeof(element)), chunk};
  element *arrived = allocated(most * chunk * sizeof(element));
  struct messages due = room_for(count), sends = room_for(count);
  for (const struct transfer *t = begin; t < end;) {
    const struct transfer *first = t;
    while (t < end && t->step == first->step) ++t;
    run_step(first, t, &b, arrived, &due, &sends, comm);
  }
  take_due(&sends, (unsigned)-1, &due);
  wait_for_all(&due, comm);
  free(sends.of);
  free(sends.requests);
  free(due.of);
  free(due.requests);
  free(arrived);
  free(b.tmp);
}

)";

const std::string_view leaves_early =
    R"(/* Whether a rank leaves before all have entered. Each counts itself at rank 0 before it enters, and reads the count when
   it has left; in each of so many runs another rank comes late. */
static int leaves_early(int rank, const element *in, element *out, size_t chunk) {
  const double late_by = 0.02; /* seconds: longer than the others take when nothing holds them */
  long long *count, one = 1, seen = 0;
  MPI_Win window;
  int early = 0;
  MPI_Win_allocate(sizeof(*count), sizeof(*count), MPI_INFO_NULL, MPI_COMM_WORLD, &count, &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  *count = 0;
  MPI_Win_unlock(rank, window);
  for (int late = 0; late < RANKS; ++late) {
    MPI_Barrier(MPI_COMM_WORLD);
    int any; /* MPI goes on with what others ask of this rank */
    for (double start = MPI_Wtime(); rank == late && MPI_Wtime() < start + late_by;)
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &any, MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &seen, MPI_LONG_LONG, 0, 0, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    quadrille_run(in, out, chunk, MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &seen, MPI_LONG_LONG, 0, 0, MPI_NO_OP, window);
    MPI_Win_unlock(0, window);
    if (seen != (late + 1LL) * RANKS) early = 1;
  }
  MPI_Win_free(&window);
  return early;
}

)";

const std::string_view main_until_wrong = R"(/* Arguments: the elements of a chunk, and how often to run. */
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
  int wrong = )";

const std::string_view main_from_wrong = R"(;
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
    printf("%s\n%.1f us a run, %.1f us by MPI itself\n", any ? "wrong: " WRONG : "right",
           ours / times * 1e6, theirs / times * 1e6);
  }
  MPI_Finalize();
  return any;
}

)";

}  // namespace quadrille::exporting::mpi_text
