#include "tests/reference/compiled.h"

#include <algorithm>
#include <utility>

#include "dsl/load.h"
#include "verifier/check.h"

namespace quadrille::reference {
namespace {

// What one size may take: seconds, not minutes, and the same on every machine.
constexpr std::uint64_t most_memory = std::uint64_t{1} << 28;  // bytes, of a plan
constexpr std::uint64_t most_iterations = std::uint64_t{1} << 24;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 24;

// The rows of another source, but not more than so many.
class FewRows final : public RowSource {
 public:
  explicit FewRows(std::shared_ptr<const RowSource> inner) : inner_(std::move(inner)) {}

  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(*this); }
  std::vector<RowOrigin> origins(std::span<const RowPlace> places) const override {
    return too_many_ ? std::vector<RowOrigin>(places.size()) : inner_->origins(places);
  }

  bool too_many() const { return too_many_; }

 private:
  class Cursor final : public RowCursor {
   public:
    explicit Cursor(const FewRows& rows) : rows_(rows), cursor_(rows.inner_->open()) {}

    std::optional<StepRows> next() override {
      auto step = cursor_->next();
      if (step) read_ += step->rows.size();
      if (read_ > most_rows) rows_.too_many_ = true;
      if (rows_.too_many_) return std::nullopt;
      return step;
    }

   private:
    const FewRows& rows_;
    std::unique_ptr<RowCursor> cursor_;
    std::uint64_t read_ = 0;
  };

  std::shared_ptr<const RowSource> inner_;
  mutable bool too_many_ = false;
};

}  // namespace

Compiled compiled(const std::string& text, const std::string& name) {
  Sources sources;
  const auto no_files = [](const std::string&) { return std::nullopt; };
  const auto program = load({name, text}, no_files, sources);
  if (!program) return {nullptr, render(program.diagnostics(), sources)};
  const auto schedule = compile(*program, name);
  if (!schedule) return {nullptr, render(schedule.diagnostics(), sources)};
  return {*schedule, ""};
}

SendTable without_optimal_claims(SendTable table) {
  std::erase_if(table.claims, [](const TableClaim& claim) { return claim.optimal.has_value(); });
  return table;
}

std::optional<bool> holds_at(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) {
  ElaborateOptions limits;
  limits.limits.memory = most_memory;
  limits.iterations = most_iterations;
  auto table = elaborate(schedule, arguments, limits);
  if (!table) {
    const Diagnostic& first = table.diagnostics().front();
    if (!first.span.known() || first.code == Code::limit) return std::nullopt;  // of the arguments; too large
    return false;
  }
  const auto rows = std::make_shared<FewRows>(table->rows);
  table->rows = rows;
  const Report report = check(without_optimal_claims(*table));
  const bool limited = std::any_of(report.properties.begin(), report.properties.end(),
                                   [](const PropertyResult& property) { return property.reason == Reason::limit; });
  if (rows->too_many() || limited) return std::nullopt;
  return report.verdict == Verdict::holds;
}

}  // namespace quadrille::reference
