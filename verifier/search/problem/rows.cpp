// Idea: solvers set hops true that serve no demand. So the rows are traced back from the demands, and all others are
// dropped.
//
//   One chunk has rows into node 1 in steps 1 and 2, and 1->3 in step 3; node 3 wants it. Tracing back keeps 1->3 and,
//   as a departure belongs to the latest arrival, the row of step 2 with those that brought the chunk there. The row of
//   step 1 serves nothing.
//
// Cost: rows x (rows of the same chunk) at worst.
#include "verifier/search/problem/rows.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace quadrille::searching {
namespace {

// The rows of one chunk, in the order of steps.
class NeededOnly {
 public:
  NeededOnly(const Fabric& fabric, std::vector<StepRow> rows)
      : fabric_(fabric), rows_(std::move(rows)), kept_(rows_.size()) {}

  // Keeps the first or the last row that brings the chunk to `node` before `step`, and the rows that this one needs.
  void keep_into(NodeId node, std::uint32_t step, bool first) {
    std::size_t found = rows_.size();
    for (std::size_t i = 0; i < rows_.size() && rows_[i].step.value < step; ++i) {
      if (fabric_.channel(rows_[i].row.channel).to != node) continue;
      found = i;
      if (first) break;
    }
    if (found == rows_.size() || kept_[found]) return;
    kept_[found] = true;
    keep_into(fabric_.channel(rows_[found].row.channel).from, rows_[found].step.value, false);
  }

  void append_kept(std::vector<StepRow>& all) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (kept_[i]) all.push_back(rows_[i]);
    }
  }

 private:
  const Fabric& fabric_;
  std::vector<StepRow> rows_;
  std::vector<bool> kept_;
};

}  // namespace

std::vector<StepRow> useful_rows(const Fabric& fabric, const Collective& collective, std::vector<StepRow> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const StepRow& a, const StepRow& b) {
    return std::pair(a.row.chunk, a.step) < std::pair(b.row.chunk, b.step);
  });
  std::map<ChunkId, NeededOnly> chunks;
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto end = std::find_if(begin, rows.end(), [&](const StepRow& r) { return r.row.chunk != begin->row.chunk; });
    chunks.emplace(begin->row.chunk, NeededOnly(fabric, {begin, end}));
    begin = end;
  }
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, processor] = collective.demand_at(number);
    const auto found = chunks.find(chunk);
    if (found != chunks.end()) found->second.keep_into(processor, max_step, true);
  }
  std::vector<StepRow> kept;
  for (const auto& [chunk, of_chunk] : chunks) of_chunk.append_kept(kept);
  return kept;
}

SendTable table_of(const Fabric& fabric, const Collective& collective, std::string name, std::vector<StepRow> rows) {
  std::sort(rows.begin(), rows.end(), [](const StepRow& a, const StepRow& b) {
    return std::tuple(a.step, a.row.channel, a.row.chunk) < std::tuple(b.step, b.row.channel, b.row.chunk);
  });
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const StepRow& before = rows[i - 1];
    const bool same = before.step == rows[i].step && before.row.channel == rows[i].row.channel;
    rows[i].row.lane = LaneId{same ? before.row.lane.value + 1 : 0};
  }
  return {fabric, collective, std::move(name), {}, std::make_shared<StoredRows>(std::move(rows))};
}

}  // namespace quadrille::searching
