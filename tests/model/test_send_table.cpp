#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

#include "model/send_table.h"

using namespace quadrille;

namespace {

using StepRow = StoredRows::StepRow;

StepRow row(std::uint32_t step, std::uint32_t channel, std::uint32_t lane, std::uint64_t chunk) {
  return {StepId(step), {ChannelId(channel), LaneId(lane), ChunkId(chunk)}};
}

std::vector<StepRow> everything(const RowSource& source) {
  std::vector<StepRow> result;
  const auto cursor = source.open();
  while (const auto batch = cursor->next())
    for (const Row& it : batch->rows) result.push_back({batch->step, it});
  return result;
}

}  // namespace

TEST_CASE("no rows: no steps") {
  const StoredRows rows({});
  CHECK_FALSE(rows.open()->next());
  CHECK(rows.row_count() == 0);
  CHECK(rows.last_step() == StepId(0));
}

TEST_CASE("rows come in steps, in order of channel, lane, chunk") {
  const StoredRows rows({row(7, 1, 0, 9), row(2, 3, 1, 1), row(2, 3, 0, 5), row(2, 3, 0, 4), row(2, 0, 9, 9)});
  const auto cursor = rows.open();
  const auto first = cursor->next();
  REQUIRE(first);
  CHECK(first->step == StepId(2));
  CHECK(first->rows.size() == 4);
  CHECK(first->rows[1] == row(2, 3, 0, 4).row);
  const auto second = cursor->next();
  REQUIRE(second);
  CHECK(second->step == StepId(7));
  CHECK_FALSE(cursor->next());
  CHECK_FALSE(cursor->next());
  CHECK(rows.row_count() == 5);
  CHECK(rows.last_step() == StepId(7));
}

TEST_CASE("cursors are independent") {
  const StoredRows rows({row(1, 0, 0, 0), row(2, 0, 0, 0)});
  const auto a = rows.open();
  const auto b = rows.open();
  CHECK(a->next()->step == StepId(1));
  CHECK(a->next()->step == StepId(2));
  CHECK(b->next()->step == StepId(1));
}

TEST_CASE("where rows were written is not known unless the source says so") {
  const StoredRows rows({row(1, 0, 0, 0)});
  const std::vector<RowPlace> places = {{StepId(1), 0}, {StepId(1), 0}};
  const auto origins = rows.origins(places);
  REQUIRE(origins.size() == 2);
  CHECK_FALSE(origins[0].span.known());
}

TEST_CASE("any rows come back sorted, none lost") {
  CHECK(rc::check([](const std::vector<std::tuple<std::uint8_t, std::uint8_t, std::uint8_t, std::uint8_t>>& numbers) {
    std::vector<StepRow> rows;
    for (const auto& [step, channel, lane, chunk] : numbers)
      rows.push_back(row(step % 5U + 1, channel % 4U, lane % 2U, chunk));
    auto found = everything(StoredRows(rows));
    const auto key = [](const StepRow& it) { return std::tuple(it.step, it.row.channel, it.row.lane, it.row.chunk); };
    std::sort(rows.begin(), rows.end(), [&](const StepRow& a, const StepRow& b) { return key(a) < key(b); });
    RC_ASSERT(found == rows);
  }));
}
