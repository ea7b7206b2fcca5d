// The command `trace`: writes a table's rows as events, step by step while they are read, to a file that takes its
// place only when complete. Cost: three passes over the rows (the remaining rows of each packet, the rows, and their
// origins); memory for a step, and for the packets under way (packet_routes.h).
#include "driver/look/trace.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "driver/files/write_file.h"
#include "driver/inputs/bandwidth.h"
#include "driver/inputs/message_time.h"
#include "driver/look/located_rows.h"
#include "driver/look/step_range.h"
#include "driver/look/trace_events.h"
#include "model/limits/work.h"
#include "runtime/times/step_times.h"

namespace quadrille::driver {
namespace {

using replaying::ChannelTimes;
using replaying::StepTimes;

// The length of a step if messages have no size: a chunk takes a channel a millisecond, and nothing else takes time.
constexpr double usual_step = 1e-3;  // seconds

// The durations in a trace.
struct Pace {
  Costs costs;
  std::optional<std::uint64_t> size;  // of a message, in bytes
  StepRange steps;
};

Result<Pace> pace_of(const TraceRequest& request) {
  const Result<Costs> costs = parse_costs(request.costs);
  if (!costs) return costs.diagnostics();
  Result<std::vector<std::uint64_t>> sizes = driver::parse_sizes(request.sizes);
  if (!sizes) return sizes.diagnostics();
  if (sizes->size() > 1) return error_at({}, "--size: expected one size: a trace is of one run", Code::usage);
  if (sizes->empty() && !request.costs.empty()) {
    return error_at({}, "--costs: expected --size, too: what a message takes depends on its bytes", Code::usage);
  }
  const Result<StepRange> steps = parse_steps("--steps", request.steps.empty() ? "all" : request.steps);
  if (!steps) return steps.diagnostics();
  return Pace{*costs, sizes->empty() ? std::nullopt : std::optional(sizes->front()), *steps};
}

std::string how_long(const Pace& pace, const Fabric& fabric) {
  const bool rounds = fabric.in_rounds();
  if (!pace.size) {
    return rounds ? "a round lasts 1 ms for each of its chunks" : "a step lasts 1 ms";
  }
  return fmt::format("messages of {} bytes; a {} {:g} s, a hop {:g} s, a byte {:g} s{}", *pace.size,
                     rounds ? "round" : "step", pace.costs.start, pace.costs.hop, pace.costs.byte,
                     fabric.link_speeds().empty() ? "" : ", but for what links say of themselves");
}

ChannelTimes times_of(const Pace& pace, const SendTable& table) {
  if (!pace.size) return ChannelTimes(TransferCosts{}, usual_step);
  return ChannelTimes(table.fabric, transfer_costs(pace.costs), chunk_bytes(table, *pace.size));
}

constexpr std::uint64_t large = 1'000'000'000;  // bytes: viewers take a minute for so many, or do not take them

// Says how large the trace becomes, from its first steps on, before it is large. Without a window the rows are known.
class SizeTold {
 public:
  SizeTold(const SendTable& table, const Pace& pace, Context& context) : context_(context) {
    if (pace.steps.first <= 1 && pace.steps.last >= table.rows->last_step().value_or(StepId(0)).value)
      rows_ = table.rows->row_count();
  }

  void look(const TraceEvents& events) {
    constexpr std::uint64_t enough_rows = 10'000;
    if (told_ || events.rows() < enough_rows) return;
    const double each = static_cast<double>(events.bytes()) / static_cast<double>(events.rows());
    const double bytes = each * static_cast<double>(rows_.value_or(events.rows()));
    const bool is_large = rows_ ? bytes >= large : events.bytes() > large / 2;
    told_ = is_large || rows_;
    if (!is_large) return;
    tell_note(rows_ ? fmt::format("the trace will have some {:.1f} GB; --steps A..B writes a part of it", bytes / 1e9)
                    : std::string("the trace will have a gigabyte or more; --steps A..B writes a part of it"),
              context_);
  }

 private:
  Context& context_;
  std::optional<std::uint64_t> rows_;
  bool told_ = false;
};

// Throws Ended.
void write_steps(const SendTable& table, const Pace& pace, Work& work, TraceEvents& events, SizeTold told) {
  const ChannelTimes times = times_of(pace, table);
  StepTimes step_times(table, times, work);
  LocatedRows rows(*table.rows);
  double seconds = 0;
  std::uint64_t done = 0;
  while (const auto batch = rows.next()) {
    if (batch->step.value > pace.steps.last) return;
    work.spend(batch->rows.size());
    seconds += static_cast<double>(batch->step.value - done - 1) * step_times.empty();
    const double length = step_times.length(*batch);
    if (batch->step.value >= pace.steps.first) events.step(rows, *batch, step_times.rows(*batch), seconds);
    if (!events.taken()) return;
    told.look(events);
    seconds += length;
    done = batch->step.value;
  }
  if (const Reason reason = rows.ended_early(); reason != Reason::none) throw Ended{reason};
}

struct WrittenTrace {
  Reason ended_early = Reason::none;
  std::uint64_t rows = 0;
  std::uint64_t events = 0;
};

WrittenTrace write_trace(const SendTable& table, const Pace& pace, Context& context, const TraceSink& sink) {
  try {
    const Limits limits = remaining(context);
    Work work(limits);
    PacketRoutes ways(table, pace.steps, work);
    TraceEvents events(table, context.sources, ways, sink);
    events.begin(how_long(pace, table.fabric));
    write_steps(table, pace, work, events, SizeTold(table, pace, context));
    events.end();
    return {Reason::none, events.rows(), events.events()};
  } catch (const Ended& ended) {
    return {ended.reason};
  }
}

}  // namespace

Result<TraceOutcome> run(const TraceRequest& request, Context& context) {
  Result<Pace> pace = pace_of(request);
  if (!pace) return pace.diagnostics();
  Result<SendTable> opened = open_table(request.input, context);
  if (!opened) return opened.diagnostics();
  std::vector<std::uint64_t> asked;
  if (pace->size) asked.push_back(*pace->size);
  const auto sizes = message_sizes(std::move(asked), request.size_of, opened->collective);
  if (!sizes) return sizes.diagnostics();
  if (pace->size) pace->size = sizes->front();
  const SendTable table = made_ahead(std::move(*opened), context.limits);
  tell_stage(context, "writing");
  WrittenTrace written;
  const auto write = [&](const auto& sink) {
    written = write_trace(table, *pace, context, sink);
    return written.ended_early == Reason::none;
  };
  if (auto failure = write_output(request.output, write, context.environment)) return *std::move(failure);
  if (const Reason reason = written.ended_early; reason != Reason::none) {
    return error_at({}, fmt::format("the trace has not been written to its end: {}", to_string(reason)),
                    code_of(reason));
  }
  return {TraceOutcome{table, written.rows, written.events}, opened.diagnostics()};
}

}  // namespace quadrille::driver
