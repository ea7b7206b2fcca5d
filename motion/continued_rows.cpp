// For example, the rows 0->s in step 1, s->1 in step 2 and s->2 in step 2 of one packet are a send from 0 to 1 and 2:
// both others go on with the first. A switch may have got a packet more than once: each row out belongs to the arrival
// that came first of those that have gone nowhere yet, or else to the latest, where switches copy.
//
// Where switches reduce, packets of a combining collective for one processor and value are one packet in a switch. A
// row out of it goes on with all that has come there since the last step in which something left: the rows 1->s, 2->s
// and 3->s in step 1 and s->0 in step 2 are three sends to 0, and the last row goes on with each of the others.
#include "motion/continued_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "motion/moves.h"

namespace quadrille {
namespace {

class RowContinuer {
 public:
  RowContinuer(const SendTable& table, Work& work)
      : table_(table), fabric_(table.fabric), work_(work), joins_(joins_in_switches(table)) {}

  Result<std::vector<ContinuedRow>> read() {
    read_rows();
    for (std::size_t first = 0; first < order_.size();) {
      std::size_t last = first;
      while (last < order_.size() && order_[last].first == order_[first].first) ++last;
      switches_.clear();
      for (; first < last; ++first) {
        if (!add(order_[first].second)) return leaves_too_early(order_[first].second);
      }
    }
    return std::move(rows_);
  }

 private:
  // A packet's arrivals at a switch that wait there, and those that the rows of the latest step out of it go on with.
  struct AtSwitch {
    std::vector<std::size_t> waiting;
    std::vector<std::size_t> leaving;
    std::uint32_t left = 0;
  };
  using PacketGroup = std::pair<std::uint64_t, std::uint32_t>;  // a packet; or a target and part, where packets join

  PacketGroup group(ChunkId chunk) const {
    if (!joins_) return {chunk.value, 0};
    const ChunkName name = table_.collective.name(chunk);
    return {name.target.value_or(0), name.part};
  }

  void read_rows() {
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      work_.spend(step->rows.size());
      work_.take(step->rows.size(), sizeof(ContinuedRow) + sizeof(order_[0]));
      for (const Row& row : step->rows) order_.emplace_back(group(row.chunk), StoredRows::StepRow{step->step, row});
    }
    if (cursor->ended_early() != Reason::none) throw Ended{cursor->ended_early()};
    std::ranges::sort(order_, [](const auto& a, const auto& b) {
      const auto key = [](const auto& it) {
        return std::tuple(it.first, it.second.step, it.second.row.channel, it.second.row.lane, it.second.row.chunk);
      };
      return key(a) < key(b);
    });
    rows_.reserve(order_.size());
  }

  bool add(const StoredRows::StepRow& it) {
    const Channel& channel = fabric_.channel(it.row.channel);
    if (!fabric_.is_processor(channel.from)) {
      AtSwitch& at = switches_[channel.from];
      const std::span<const std::size_t> before = joins_ ? joined(at, it.step.value) : apart(at, it.step.value);
      if (before.empty()) return false;
      for (const std::size_t arrival : before) rows_[arrival].next.push_back(rows_.size());
    }
    if (!fabric_.is_processor(channel.to)) switches_[channel.to].waiting.push_back(rows_.size());
    rows_.push_back({it.step.value, it.row, {}});
    return true;
  }

  std::span<const std::size_t> joined(AtSwitch& at, std::uint32_t step) const {
    if (std::exchange(at.left, step) == step) return at.leaving;
    const auto came = std::ranges::partition_point(at.waiting, [&](std::size_t i) { return rows_[i].step < step; });
    at.leaving.assign(at.waiting.begin(), came);
    at.waiting.erase(at.waiting.begin(), came);
    return at.leaving;
  }

  std::span<const std::size_t> apart(AtSwitch& at, std::uint32_t step) const {
    std::optional<std::size_t> latest;
    for (std::size_t i = 0; i < at.waiting.size() && rows_[at.waiting[i]].step < step; ++i) {
      latest = i;
      if (rows_[at.waiting[i]].next.empty()) return std::span(at.waiting).subspan(i, 1);
    }
    if (!latest || fabric_.switches_forward()) return {};
    return std::span(at.waiting).subspan(*latest, 1);
  }

  Diagnostic leaves_too_early(const StoredRows::StepRow& it) const {
    return error_at({},
                    fmt::format("packet {} leaves switch {} in step {}, and none has come there before",
                                table_.collective.label(it.row.chunk),
                                fabric_.name(fabric_.channel(it.row.channel).from), it.step.value),
                    Code::unsupported);
  }

  const SendTable& table_;
  const Fabric& fabric_;
  Work& work_;
  bool joins_;
  std::vector<std::pair<PacketGroup, StoredRows::StepRow>> order_;
  std::map<NodeId, AtSwitch> switches_;  // of the group at work
  std::vector<ContinuedRow> rows_;
};

}  // namespace

Result<std::vector<ContinuedRow>> continued_rows(const SendTable& table, Work& work) {
  return RowContinuer(table, work).read();
}

}  // namespace quadrille
