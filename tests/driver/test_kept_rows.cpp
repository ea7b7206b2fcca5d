// Rows that are kept are those of the source, for every reader, whatever readers did before.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "driver/search/kept_rows.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"

namespace quadrille::driver {
namespace {

// Counts how often rows are asked for from the beginning.
class CountedRows final : public RowSource {
 public:
  explicit CountedRows(std::shared_ptr<const RowSource> rows) : rows_(std::move(rows)) {}
  std::unique_ptr<RowCursor> open() const override {
    ++opened;
    return rows_->open();
  }
  std::optional<std::uint64_t> row_count() const override { return rows_->row_count(); }
  bool has_messages() const override { return rows_->has_messages(); }
  bool has_partial_reductions() const override { return rows_->has_partial_reductions(); }
  mutable int opened = 0;

 private:
  std::shared_ptr<const RowSource> rows_;
};

void check_alike(const RowSource& one, const RowSource& other) {
  const auto a = one.open();
  const auto b = other.open();
  for (;;) {
    const auto left = a->next();
    const auto right = b->next();
    REQUIRE(left.has_value() == right.has_value());
    if (!left) return;
    CHECK(left->step == right->step);
    CHECK(std::ranges::equal(left->rows, right->rows));
    CHECK(std::ranges::equal(left->messages, right->messages));
    CHECK(std::ranges::equal(left->uses, right->uses));
  }
}

TEST_CASE("kept rows are the source's, and are made once") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const SendTable table =
        seed % 2 == 0 ? reference::random_table(seed, true) : reference::random_rounds_table(seed, seed % 3 == 0);
    const auto source = std::make_shared<CountedRows>(table.rows);
    const auto kept = kept_rows(source, 1 << 20);
    CHECK(kept->has_messages() == table.rows->has_messages());
    kept->open()->next();              // a reader that gives up
    const auto beside = kept->open();  // one that is still reading
    beside->next();
    check_alike(*kept, *table.rows);
    while (beside->next()) {
    }
    const int before = source->opened;
    for (int i = 0; i < 3; ++i) check_alike(*kept, *table.rows);
    CHECK(source->opened == before);
  }
}

TEST_CASE("more rows than there is room for are not kept, and are all there") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SendTable table = reference::random_table(seed, true);
    if (all_rows(table).size() < 2) continue;
    const auto kept = kept_rows(table.rows, all_rows(table).size() - 1);
    for (int i = 0; i < 3; ++i) check_alike(*kept, *table.rows);
  }
}

}  // namespace
}  // namespace quadrille::driver
