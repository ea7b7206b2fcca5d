#include "driver/size_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "compiler/ir.h"

namespace quadrille::driver {
namespace {

constexpr std::uint64_t memory = std::uint64_t{1} << 30;  // bytes, for the plan of a table

// Says why no more rows are to be read; empty: go on.
using Stop = std::function<std::string()>;

// The rows of another source, until there is a reason to stop. What has been judged then is worth nothing.
class StoppableRows final : public RowSource {
 public:
  StoppableRows(std::shared_ptr<const RowSource> inner, Stop stop) : inner_(std::move(inner)), stop_(std::move(stop)) {}

  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(*this); }
  std::vector<RowOrigin> origins(std::span<const RowPlace> places) const override {
    return stopped_.empty() ? inner_->origins(places) : std::vector<RowOrigin>(places.size());
  }

  const std::string& stopped() const { return stopped_; }

 private:
  class Cursor final : public RowCursor {
   public:
    explicit Cursor(const StoppableRows& rows) : rows_(rows), cursor_(rows.inner_->open()) {}

    std::optional<StepRows> next() override {
      if (rows_.stopped_.empty()) rows_.stopped_ = rows_.stop_();
      if (!rows_.stopped_.empty()) return std::nullopt;
      return cursor_->next();
    }

   private:
    const StoppableRows& rows_;
    std::unique_ptr<RowCursor> cursor_;
  };

  std::shared_ptr<const RowSource> inner_;
  Stop stop_;
  mutable std::string stopped_;
};

// Whether the compiler refuses a size because it is too large for a table: what it says of the fabric line, and of its
// limits. Everything else is a mistake in the schedule, at this size.
bool too_large(const Diagnostic& diagnostic, const ir::Schedule& schedule) {
  Span fabric = schedule.fabric.span;
  for (const ir::Argument& argument : schedule.fabric.arguments) fabric = cover(fabric, argument.span);
  const Span at = diagnostic.span;
  const bool in_fabric = at.source == fabric.source && at.begin >= fabric.begin && at.begin < fabric.end;
  return !at.known() || in_fabric || diagnostic.message.find("limit") != std::string::npos;
}

}  // namespace

const Violation* SizeResult::first(std::string_view property) const {
  const Violation* other = nullptr;
  for (const Violation& violation : violations) {
    if (to_string(violation.property) == property) return &violation;
    if (!other && violation.property != Property::thrifty) other = &violation;
  }
  return other;
}

const SizeResult& SizeChecker::at(const Arguments& arguments) {
  const auto known = known_.find(arguments);
  return known != known_.end() ? known->second : known_.emplace(arguments, judge(arguments)).first->second;
}

SizeResult SizeChecker::refusal(const Diagnostics& diagnostics) const {
  SizeResult result;
  const bool large = std::any_of(diagnostics.begin(), diagnostics.end(),
                                 [&](const Diagnostic& diagnostic) { return too_large(diagnostic, *schedule_); });
  if (large) {
    result.why = fmt::format("too large to check: {}", diagnostics.front().message);
  } else {
    result.verdict = Verdict::violated;
    result.refused = diagnostics;
  }
  return result;
}

SizeResult SizeChecker::judge(const Arguments& arguments) const {
  SizeResult result;
  if (environment_.interrupted()) {
    result.why = "interrupted";
    return result;
  }
  ElaborateOptions limits;
  limits.memory = memory;
  Result<SendTable> table = elaborate(schedule_, arguments, limits);
  if (!table) return refusal(table.diagnostics());

  const auto begin = environment_.now();
  const Stop stop = [&]() -> std::string {
    if (environment_.interrupted()) return "interrupted";
    const std::chrono::duration<double> taken = environment_.now() - begin;
    return taken.count() > seconds_ ? fmt::format("not done after {} seconds", seconds_) : "";
  };
  const auto rows = std::make_shared<StoppableRows>(table->rows, stop);
  table->rows = rows;
  CheckOptions options;
  options.listed_per_property = 1;
  const Report report = check(*table, options);
  if (!rows->stopped().empty()) {
    result.why = rows->stopped();
    return result;
  }
  result.verdict = report.verdict;
  result.steps = report.steps;
  result.rows = report.rows;
  result.violations = report.violations;
  for (const PropertyResult& property : report.properties) {
    if (property.verdict == Verdict::unknown) result.why = property.why;
  }
  return result;
}

}  // namespace quadrille::driver
