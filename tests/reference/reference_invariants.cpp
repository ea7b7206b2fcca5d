#include "tests/reference/reference_invariants.h"

#include <algorithm>
#include <set>

namespace quadrille::reference {
namespace {

class FirstSteps final : public RowSource {
 public:
  FirstSteps(std::shared_ptr<const RowSource> all, std::uint32_t last) : all_(std::move(all)), last_(last) {}
  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(all_->open(), last_); }
  bool has_messages() const override { return all_->has_messages(); }
  bool has_partial_reductions() const override { return all_->has_partial_reductions(); }

 private:
  class Cursor final : public RowCursor {
   public:
    Cursor(std::unique_ptr<RowCursor> all, std::uint32_t last) : all_(std::move(all)), last_(last) {}
    std::optional<StepRows> next() override {
      auto batch = all_->next();
      if (batch && batch->step.value > last_) return std::nullopt;
      return batch;
    }

   private:
    std::unique_ptr<RowCursor> all_;
    std::uint32_t last_;
  };

  std::shared_ptr<const RowSource> all_;
  std::uint32_t last_;
};

bool right(const HeldOrigins& statement, const HeldAtEnd& all) {
  const auto found = all.find({statement.processor.value, statement.target, statement.part});
  const std::set<std::uint32_t> held = found == all.end() ? std::set<std::uint32_t>() : found->second;
  std::set<std::int64_t> stated;
  for (const auto& [first, last] : statement.origins) {
    for (std::int64_t x = first; x <= last; ++x) stated.insert(x);
  }
  const bool has_all = std::all_of(stated.begin(), stated.end(), [&](std::int64_t x) {
    return x >= 0 && held.contains(static_cast<std::uint32_t>(x));
  });
  return has_all && (statement.at_least || held.size() == stated.size());
}

}  // namespace

SendTable up_to(const SendTable& table, std::uint32_t last) {
  SendTable result = table;
  result.rows = std::make_shared<FirstSteps>(table.rows, last);
  return result;
}

std::uint64_t wrong_statements(const SendTable& table) {
  std::uint64_t wrong = 0;
  for (const TableInvariant& invariant : table.invariants) {
    const auto steps = invariant.steps({});
    for (const std::uint32_t step : *steps) {
      const HeldAtEnd held = held_at_end(up_to(table, step));
      (void)invariant.statements(step, {}, [&](const HeldOrigins& statement) {
        wrong += right(statement, held) ? 0 : 1;
        return true;
      });
    }
  }
  return wrong;
}

}  // namespace quadrille::reference
