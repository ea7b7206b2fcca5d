// Rows during whose reading a stop is requested: whoever looks at the limits between steps only goes on to their end.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "model/send_table.h"

namespace quadrille::tests {

// A step of many rows, whose reading makes someone request a stop.
class StoppingRows final : public RowSource {
 public:
  StoppingRows(std::vector<Row> rows, std::stop_source stop) : rows_(std::move(rows)), stop_(std::move(stop)) {}
  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(*this); }
  std::optional<StepId> last_step() const override { return StepId{1}; }

 private:
  struct Cursor final : RowCursor {
    explicit Cursor(const StoppingRows& source) : of(source) {}
    std::optional<StepRows> next() override {
      if (std::exchange(read, true)) return std::nullopt;
      of.stop_.request_stop();
      return StepRows{StepId{1}, of.rows_};
    }
    const StoppingRows& of;
    bool read = false;
  };
  std::vector<Row> rows_;
  mutable std::stop_source stop_;
};

}  // namespace quadrille::tests
