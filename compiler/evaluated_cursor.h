// What the cursors of plans have in common, whether their rows are of steps or of rounds.
#pragma once

#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "compiler/evaluate.h"
#include "compiler/flights.h"
#include "compiler/plan.h"
#include "compiler/send_origin.h"
#include "model/send_table.h"

namespace quadrille {

// A cursor whose rows come of evaluating the plan again. Everything has been evaluated before, so a failure is a limit.
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

// Rows that are made of a plan, and may be asked where each was written.
class PlannedRows : public RowSource {
 public:
  virtual std::unique_ptr<EvaluatedCursor> open_traced() const = 0;
};

// Where the rows at these places were written. Rows have no origin of their own (they would be half as large again):
// they are made once more, by a cursor that traces them.
inline std::vector<RowOrigin> origins_of(const Plan& plan, EvaluatedCursor& cursor, std::span<const RowPlace> places) {
  std::vector<RowOrigin> result(places.size());
  std::map<StepId, std::vector<std::size_t>> wanted;  // step -> indices into `places`
  for (std::size_t i = 0; i < places.size(); ++i) wanted[places[i].step].push_back(i);
  while (!wanted.empty()) {
    const auto rows = cursor.next();
    if (!rows) break;
    const auto found = wanted.find(rows->step);
    if (found == wanted.end()) continue;
    for (const std::size_t i : found->second) {
      if (places[i].index < cursor.trace().size()) result[i] = origin_of(plan, cursor.trace()[places[i].index]);
    }
    wanted.erase(found);
  }
  return result;
}

}  // namespace quadrille
