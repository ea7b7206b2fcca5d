// EvaluatedCursor is the common base of the cursors of plans, whether their rows are of steps or of rounds.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compiler/evaluate/evaluate.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/send_origin.h"
#include "model/send_table.h"
#include "place/flights/flights.h"

namespace quadrille {

// A cursor that makes its rows by evaluating the plan again. Everything has been evaluated before, so a failure is a
// limit.
class EvaluatedCursor : public RowCursor {
 public:
  std::optional<StepRows> next() final {
    if (ended_ != Reason::none) return std::nullopt;
    try {
      return next_rows();
    } catch (const EvaluationError& error) {
      const Reason reason = reason_of({error.diagnostic});
      ended_ = reason == Reason::none ? Reason::internal : reason;
    } catch (const std::bad_alloc&) {
      ended_ = Reason::limit;
    }
    return std::nullopt;
  }

  Reason ended_early() const final { return ended_; }

  // The send of each row of the step given last, if the cursor was asked to trace them.
  const std::vector<SendSerial>& trace() const { return trace_; }

 protected:
  void forget_sends() { trace_.clear(); }
  void note_send(SendSerial serial) { trace_.push_back(serial); }

 private:
  // As next(). Throws EvaluationError.
  virtual std::optional<StepRows> next_rows() = 0;

  std::vector<SendSerial> trace_;
  Reason ended_ = Reason::none;
};

// Rows that are made from a plan, and that know where each was written.
class PlannedRows : public RowSource {
 public:
  virtual std::unique_ptr<EvaluatedCursor> open_traced() const = 0;
};

// Finds where the rows of a plan were written. Rows do not store their origin (they would be half as large again), so
// a cursor makes them once more and traces them.
class TracedOrigins final : public OriginCursor {
 public:
  TracedOrigins(std::shared_ptr<const Plan> plan, std::unique_ptr<EvaluatedCursor> rows)
      : plan_(std::move(plan)), rows_(std::move(rows)) {}

  std::optional<StepId> next() override {
    const auto rows = rows_->next();
    step_rows_ = rows ? rows->rows : std::span<const Row>();
    return rows ? std::optional(rows->step) : std::nullopt;
  }
  std::span<const Row> rows() const override { return step_rows_; }
  std::vector<Span> phases() const override { return phases_of(*plan_, rows_->trace()); }
  std::vector<RowOrigin> origins(std::span<const std::size_t> indices) override {
    std::vector<std::optional<SendSerial>> serials;
    serials.reserve(indices.size());
    const std::vector<SendSerial>& trace = rows_->trace();
    for (const std::size_t index : indices) {
      serials.push_back(index < trace.size() ? std::optional(trace[index]) : std::nullopt);
    }
    return origins_of(*plan_, serials);
  }

 private:
  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<EvaluatedCursor> rows_;
  std::span<const Row> step_rows_;
};

// Null where the plan has no statements: it was made of a table. Requires that `rows` are of that plan, and traced.
inline std::unique_ptr<OriginCursor> trace_origins(std::shared_ptr<const Plan> plan,
                                                   std::unique_ptr<EvaluatedCursor> rows) {
  if (plan->regions.empty()) return nullptr;
  return std::make_unique<TracedOrigins>(std::move(plan), std::move(rows));
}

}  // namespace quadrille
