// The command `compile`: writes a table to a file or to standard output. Only a complete table replaces a file.
#include "driver/compile.h"

#include <fmt/format.h>

#include "compiler/rows/rows_at.h"
#include "driver/compile_programs.h"
#include "driver/files/output_format.h"
#include "driver/files/write_file.h"

namespace quadrille::driver {

namespace {

// A table that ended early is an error, even if a part of it has been printed.
Diagnostic not_whole(Reason reason) {
  return error_at({}, fmt::format("the table has not been written to its end: {}", to_string(reason)), code_of(reason));
}

// The same rows; the progress in reading them is reported.
class WithProgress final : public RowSource {
 public:
  WithProgress(std::shared_ptr<const RowSource> rows, const Limits& limits) : rows_(std::move(rows)), limits_(limits) {}

  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(*this); }
  std::optional<std::uint64_t> row_count() const override { return rows_->row_count(); }
  std::optional<StepId> last_step() const override { return rows_->last_step(); }
  bool has_messages() const override { return rows_->has_messages(); }
  bool has_partial_reductions() const override { return rows_->has_partial_reductions(); }
  std::unique_ptr<OriginCursor> open_origins() const override { return rows_->open_origins(); }
  std::vector<RowOrigin> origins(std::span<const RowPlace> places) const override { return rows_->origins(places); }

 private:
  class Cursor final : public RowCursor {
   public:
    explicit Cursor(const WithProgress& its) : its_(its), rows_(its.rows_->open()) {}

    std::optional<StepRows> next() override {
      auto step = rows_->next();
      if (step) report(*step);
      return step;
    }
    Reason ended_early() const override { return rows_->ended_early(); }

   private:
    void report(const StepRows& step) {
      constexpr std::uint64_t rows_between_reports = 1 << 16;
      count_ += step.rows.size();
      if (count_ < next_report_) return;
      next_report_ = count_ + rows_between_reports;
      const auto last = its_.rows_->last_step();
      its_.limits_.progress({.stage = "writing",
                             .done = step.step.value,
                             .of = last ? std::optional<std::uint64_t>(last->value) : std::nullopt,
                             .unit = "steps",
                             .rows = count_});
    }

    const WithProgress& its_;
    std::unique_ptr<RowCursor> rows_;
    std::uint64_t count_ = 0;
    std::uint64_t next_report_ = 1;
  };

  std::shared_ptr<const RowSource> rows_;
  const Limits& limits_;
};

// The table that is written. If its lines go to the terminal themselves, no progress is shown.
SendTable shown_while_written(const SendTable& table, const CompileRequest& request, const Context& context) {
  SendTable result = table;
  if (!context.limits.progress) return result;
  tell_stage(context, "");
  if (request.output.empty() && context.environment.output_goes_to_a_terminal()) return result;
  tell_stage(context, "writing");
  result.rows = std::make_shared<WithProgress>(table.rows, context.limits);
  return result;
}

}  // namespace

namespace {

Result<CompileOutcome> run_programs(const CompileRequest& request, Context& context) {
  if (auto refused = refused_programs(request)) return *std::move(refused);
  allow_unlisted_channels(context);
  Result<SendTable> table = open_table(request.input, context);
  if (!table) return table.diagnostics();
  // Making all rows ahead would slow down making only a few.
  const bool few = !table->collective.combining() && leaves_out_rows(*table->rows);
  if (auto wrong = write_programs(few ? *table : made_ahead(*table, context.limits), request, context))
    return *std::move(wrong);
  return {CompileOutcome{std::move(*table)}, table.diagnostics()};
}

}  // namespace

Result<CompileOutcome> run(const CompileRequest& request, Context& context) {
  if (asks_for_programs(request)) return run_programs(request, context);
  const Result<const Format*> format = output_format(context.world->formats, request.format, request.output);
  if (!format) return format.diagnostics();
  allow_unlisted_channels(context);
  Result<SendTable> table = open_table(request.input, context);
  if (!table) return table.diagnostics();
  if (table->rows->has_partial_reductions() && !(*format)->partial_reductions) {
    return error_at({}, fmt::format("the format {} has no place for what the rows say of words", (*format)->name),
                    Code::unsupported);
  }
  const SendTable shown = shown_while_written(*table, request, context);
  Written written;
  const auto write = [&](const auto& sink) {
    written = (*format)->write(shown, sink);
    return written.ended_early == Reason::none;
  };
  if (auto failure = write_output(request.output, write, context.environment)) return *std::move(failure);
  if (written.ended_early != Reason::none) return not_whole(written.ended_early);
  return {CompileOutcome{std::move(*table)}, table.diagnostics()};
}

}  // namespace quadrille::driver
