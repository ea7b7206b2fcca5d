// The model defines the nouns that every stage shares. Its central one is SendTable, the explicit form of a schedule
// for one size: it lists every hop of every packet, step by step.
//
// For: the nouns that every stage shares: ids, `Fabric`, `Collective`, `SendTable`, verdicts, `Limits`, diagnostics.
// Face: this header, model/fabric.h, model/collective.h.
// Keeps: a `Fabric` and a `Collective` are right from their making on: `make` gives them or diagnostics.
// Read first: model/MODEL.md, then this header.
//
// A table may be larger than memory. Readers therefore take it through a cursor, one step at a time, as often as they
// want. A RowSource hides where the rows come from: memory, a file, or a schedule that is being elaborated.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/ids.h"
#include "model/invariant.h"
#include "model/limits/limits.h"
#include "model/terms/fraction.h"
#include "model/verdict.h"

namespace quadrille {

// One hop: `chunk` crosses `channel` on `lane`. The step is the batch's. 16 bytes.
struct Row {
  ChannelId channel;
  LaneId lane;
  ChunkId chunk;
  bool operator==(const Row&) const = default;
};

// What becomes of what a row brings to its packet's target (model/MODEL.md, Words).
enum class Arrival : std::uint8_t {
  joined,    // as its contributions have it: the table does not say
  stored,    // in place of the partial reduction held
  combined,  // with it
  kept       // as a partial reduction of its own
};

// What a row of a combining collective says of partial reductions: those of its origin that it sends chained (none: the
// one held), and what becomes of them at its target.
struct ReductionUse {
  std::vector<std::uint32_t> sent;
  Arrival arrival = Arrival::joined;
  bool operator==(const ReductionUse&) const = default;
};

// All rows of one step, in no particular order. Rows name existing channels and chunks (readers refuse others). Lanes
// may be out of range; the checker reports those.
struct StepRows {
  StepId step;
  std::span<const Row> rows;
  // Tables in rounds: each row's message; as many as rows, or none, where each row is a message of its own.
  std::span<const MessageId> messages = {};
  // Likewise what rows say of partial reductions: as many as rows, or none, where they say nothing. Rows alike in
  // everything else say the same.
  std::span<const ReductionUse> uses = {};
};

class RowCursor {
 public:
  virtual ~RowCursor() = default;
  // Returns the next step that has rows, in increasing order; nothing at the end. The rows live until the next call.
  virtual std::optional<StepRows> next() = 0;
  // Says why next() gave nothing although the table has more rows (a deadline, memory, a file that cannot be read any
  // more); none at a true end. Callers that read to the end must ask, since a property of a table's beginning need not
  // hold of the whole table.
  virtual Reason ended_early() const { return Reason::none; }
};

// Where a row was written: the statement in the schedule and the loop variables' values there.
struct RowOrigin {
  Span span;
  std::vector<std::pair<std::string, std::int64_t>> variables;  // outermost first
  Span outermost = {};  // the row's phase: the statement of the schedule itself, not of a block, that it comes from
};

// Reads where the rows of a table were written, a step at a time, beside a RowCursor.
class OriginCursor {
 public:
  virtual ~OriginCursor() = default;
  // Moves on to the next step that has rows, as RowCursor::next() does; nothing at the end, or where next() ends early.
  virtual std::optional<StepId> next() = 0;
  // Returns the origins of the rows at these indices in that step; an unknown span where an origin is not known. Cost:
  // runs once the sends of each region of the plan that one of these rows comes from.
  virtual std::vector<RowOrigin> origins(std::span<const std::size_t> indices) = 0;
  // Returns the rows of that step, as the RowCursor gives them. A caller that wants rows and origins reads once.
  virtual std::span<const Row> rows() const = 0;
  // Returns RowOrigin::outermost of each row of that step. Cost: one look-up a row.
  virtual std::vector<Span> phases() const = 0;
};

// A row's place in a table: its step, and its index among that step's rows as the cursor gives them.
struct RowPlace {
  StepId step;
  std::size_t index = 0;
  auto operator<=>(const RowPlace&) const = default;
};

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Opens a new cursor at the beginning. Cursors are independent; each gives the same rows in the same order.
  virtual std::unique_ptr<RowCursor> open() const = 0;
  // The number of rows, where it is known without reading them all.
  virtual std::optional<std::uint64_t> row_count() const { return std::nullopt; }
  // The last step, likewise.
  virtual std::optional<StepId> last_step() const { return std::nullopt; }
  // Whether rows say which message they belong to.
  virtual bool has_messages() const { return false; }
  // Whether rows say something of partial reductions.
  virtual bool has_partial_reductions() const { return false; }
  // Opens a new cursor at the beginning over the rows' origins; null where no row's origin is known.
  virtual std::unique_ptr<OriginCursor> open_origins() const { return nullptr; }
  // Returns the origins of the rows at these places, as many as `places`; an unknown span where one is not known.
  virtual std::vector<RowOrigin> origins(std::span<const RowPlace> places) const;
};

// The measures of a table that a claim may speak of.
struct Measured {
  std::int64_t steps = 0;
  std::int64_t messages = 0;
  std::int64_t rows = 0;
  std::int64_t max_queue = 0;
  // In rounds only (MODEL.md, Rounds).
  std::optional<std::int64_t> volume = {};
  std::optional<Fraction> load = {};  // on shared paths
  std::optional<std::int64_t> hops = {};
  // The most chunks that a processor has received and has still to send on, after a step; only where a claim asks.
  std::optional<std::int64_t> max_buffer = {};
};

// The measures that a claim may call optimal, the least of any schedule; rounds are the steps of a table in rounds.
enum class OptimalMeasure : std::uint8_t { steps, rounds, volume };

// A property that the schedule's author wrote down. `evaluate` returns the verdict and, if the claim does not hold, the
// reason ("steps is 24, 2^L + 2*L - 2 is 22").
struct TableClaim {
  std::string text;
  Span span;
  std::function<std::pair<Verdict, std::string>(const Measured&)> evaluate;
  // The claim says that this measure is the least there is. `evaluate` can check the claim's condition only, and its
  // verdict is unknown where the condition is met. Bounds and known schedules decide more
  // (driver/search/optimal_claims.h).
  std::optional<OptimalMeasure> optimal = {};
  bool buffers = false;  // it speaks of max_buffer
};

// The effect of retiming a schedule (place/retime.h).
struct Retiming {
  std::uint32_t steps_before = 0;  // as written, or rounds
  std::uint32_t steps = 0;
  std::uint64_t waits = 0;    // steps that packets wait at nodes that they pass
  std::uint64_t detours = 0;  // sends that take a longer route so that they can wait
  std::string as = {};        // which try won: "whole sends"
};

struct SendTable {
  Fabric fabric;
  Collective collective;
  std::string schedule;  // its name and arguments, "total_exchange L=4 capacity=exponential"; no line breaks
  std::vector<TableClaim> claims;
  std::shared_ptr<const RowSource> rows;
  std::vector<TableInvariant> invariants = {};
  std::optional<Retiming> retiming = {};  // of a schedule that has been placed anew
};

// Rows held in memory, added in any order.
class StoredRows final : public RowSource {
 public:
  struct StepRow {
    StepId step;
    Row row;
    bool operator==(const StepRow&) const = default;
  };
  // Sorts by step, then by the channel's from and to, then by lane (channels in `fabric` are sorted so already), then
  // chunk.
  explicit StoredRows(std::vector<StepRow> rows);

  // The same with each row's message; as many as rows.
  StoredRows(std::vector<StepRow> rows, const std::vector<MessageId>& messages);

  // The same with what each row says of partial reductions; as many as rows. `messages`: likewise, or none.
  StoredRows(std::vector<StepRow> rows, const std::vector<MessageId>& messages, const std::vector<ReductionUse>& uses);

  std::unique_ptr<RowCursor> open() const override;
  std::optional<std::uint64_t> row_count() const override;
  std::optional<StepId> last_step() const override;
  bool has_messages() const override { return !messages_.empty(); }
  bool has_partial_reductions() const override { return !uses_.empty(); }

 private:
  struct Batch {
    StepId step;
    std::size_t begin;
    std::size_t end;
  };
  class Cursor;
  void add(const StepRow& it);

  std::vector<Row> rows_;
  std::vector<MessageId> messages_;  // by row, or none
  std::vector<ReductionUse> uses_;   // likewise
  std::vector<Batch> batches_;
};

// Returns every row of a table, in the order of StoredRows. For tests and small tables.
std::vector<StoredRows::StepRow> all_rows(const SendTable& table);

}  // namespace quadrille
