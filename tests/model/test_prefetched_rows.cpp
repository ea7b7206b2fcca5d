#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include "model/prefetched_rows.h"

namespace quadrille {
namespace {

// Steps of `rows` rows each, numbered through; fails at `fails_at`, and counts what has been made.
class CountedRows final : public RowSource {
 public:
  CountedRows(std::uint32_t steps, std::size_t rows, std::uint32_t fails_at = 0)
      : steps_(steps), rows_(rows), fails_at_(fails_at) {}

  std::unique_ptr<RowCursor> open() const override { return std::make_unique<Cursor>(*this); }
  std::optional<StepId> last_step() const override { return StepId{steps_}; }
  std::vector<RowOrigin> origins(std::span<const RowPlace> places) const override {
    return std::vector<RowOrigin>(places.size(), RowOrigin{{7, 1, 2}, {}});
  }

  mutable std::atomic<std::uint32_t> made = 0;
  std::uint32_t ends_at = 0;  // its cursors end there, too early

 private:
  class Cursor final : public RowCursor {
   public:
    explicit Cursor(const CountedRows& source) : source_(source) {}
    std::optional<StepRows> next() override {
      if (step_ == source_.steps_) return std::nullopt;
      ++step_;
      if (step_ == source_.fails_at_) throw std::runtime_error("no more");
      if (step_ == source_.ends_at) return std::nullopt;
      batch_.assign(source_.rows_, Row{ChannelId{step_}, LaneId{0}, ChunkId{step_}});
      ++source_.made;
      return StepRows{StepId{step_}, batch_};
    }

    Reason ended_early() const override {
      return step_ == source_.ends_at && step_ > 0 ? Reason::timeout : Reason::none;
    }

   private:
    const CountedRows& source_;
    std::uint32_t step_ = 0;
    std::vector<Row> batch_;
  };

  std::uint32_t steps_;
  std::size_t rows_;
  std::uint32_t fails_at_;
};

TEST_CASE("prefetched rows are the rows, in order, for every cursor") {
  for (const std::size_t ahead : {std::size_t{0}, std::size_t{1}, std::size_t{25}, PrefetchedRows::usual_rows_ahead}) {
    CAPTURE(ahead);
    const PrefetchedRows rows(std::make_shared<CountedRows>(1000, 10), ahead);
    const auto first = rows.open();
    const auto second = rows.open();
    for (std::uint32_t step = 1; step <= 1000; ++step) {
      const auto a = first->next();
      const auto b = second->next();
      REQUIRE(a);
      REQUIRE(b);
      CHECK(a->step.value == step);
      CHECK(a->rows.size() == 10);
      CHECK(a->rows.back().chunk.value == step);
      CHECK(b->rows.front().channel.value == step);
    }
    CHECK_FALSE(first->next());
    CHECK_FALSE(first->next());
  }
}

TEST_CASE("the maker does not run further ahead than it may, and stops when the reader leaves") {
  const auto inner = std::make_shared<CountedRows>(1'000'000, 10);
  const PrefetchedRows rows(inner, 100);
  {
    const auto cursor = rows.open();
    for (int i = 0; i < 50; ++i) REQUIRE(cursor->next());
  }
  CHECK(inner->made <= 50 + 10 + 2);
}

TEST_CASE("what the maker throws reaches the reader after the rows before it") {
  const PrefetchedRows rows(std::make_shared<CountedRows>(10, 1, 3), 100);
  const auto cursor = rows.open();
  CHECK(cursor->next());
  CHECK(cursor->next());
  CHECK_THROWS_AS(cursor->next(), std::runtime_error);
}

TEST_CASE("what is known about the rows stays known") {
  const PrefetchedRows rows(std::make_shared<CountedRows>(10, 1));
  CHECK(rows.last_step() == StepId{10});
  CHECK_FALSE(rows.row_count());
  const std::vector<RowPlace> places{{StepId{1}, 0}};
  CHECK(rows.origins(places).at(0).span.source == 7);
}

TEST_CASE("prefetched rows tell that their source has ended early") {
  const auto inner = std::make_shared<CountedRows>(10, 2);
  inner->ends_at = 4;
  const PrefetchedRows rows(inner);
  const auto cursor = rows.open();
  for (std::uint32_t step = 1; step < 4; ++step) CHECK(cursor->next());
  CHECK_FALSE(cursor->next());
  CHECK(cursor->ended_early() == Reason::timeout);
}

}  // namespace
}  // namespace quadrille
