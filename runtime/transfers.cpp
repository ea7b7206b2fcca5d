// A message's rows name every chunk on every channel; its transfer names each once. For example, two chunks from 0 over
// switch 4 to 1 are four rows, and one transfer with two crossings, two chunks and one receiver.
#include "runtime/transfers.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace quadrille::replaying {

std::span<const Transfer> Transfers::read(const StepRows& batch) {
  extents_.clear();
  crossings_.clear();
  to_.clear();
  chunks_.clear();
  leaving_.clear();
  arriving_.clear();
  uses_.clear();
  if (batch.messages.empty()) {
    for (const WordUse& use : batch.words) uses_.push_back(&use);
    for (std::size_t i = 0; i < batch.rows.size(); ++i)
      add(batch.rows.subspan(i, 1), uses_.empty() ? std::span(uses_) : std::span(uses_).subspan(i, 1));
  } else {
    order_.resize(batch.rows.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(batch.messages[a], batch.rows[a].channel, batch.rows[a].chunk, a) <
             std::tie(batch.messages[b], batch.rows[b].channel, batch.rows[b].chunk, b);
    });
    rows_.clear();
    for (const std::uint32_t row : order_) {
      rows_.push_back(batch.rows[row]);
      if (!batch.words.empty()) uses_.push_back(&batch.words[row]);
    }
    for (std::size_t first = 0; first < rows_.size();) {
      std::size_t last = first + 1;
      while (last < rows_.size() && batch.messages[order_[last]] == batch.messages[order_[first]]) ++last;
      add(std::span(rows_).subspan(first, last - first),
          uses_.empty() ? std::span(uses_) : std::span(uses_).subspan(first, last - first));
      first = last;
    }
  }
  transfers_.clear();
  extents_.push_back({crossings_.size(), to_.size(), chunks_.size(), {}, 0, 0});
  for (std::size_t i = 0; i + 1 < extents_.size(); ++i) {
    const Extent& now = extents_[i];
    const Extent& next = extents_[i + 1];
    transfers_.push_back({now.from, std::span(crossings_).subspan(now.crossings, next.crossings - now.crossings),
                          std::span(to_).subspan(now.to, next.to - now.to),
                          std::span(chunks_).subspan(now.chunks, next.chunks - now.chunks), now.way, now.slowest});
    if (leaving_.empty()) continue;
    transfers_.back().leaving = std::span(leaving_).subspan(now.chunks, next.chunks - now.chunks);
    transfers_.back().arriving = std::span(arriving_).subspan(now.chunks, next.chunks - now.chunks);
  }
  return transfers_;
}

// The rows of one message, by channel, then chunk.
void Transfers::add(std::span<const Row> rows, std::span<const WordUse* const> uses) {
  Extent& extent = extents_.emplace_back(Extent{crossings_.size(), to_.size(), chunks_.size(), {}, 0, 0});
  for (const Row& row : rows) {
    if (row.channel == rows.front().channel) chunks_.push_back(row.chunk);
    if (crossings_.size() == extent.crossings || crossings_.back().channel != row.channel) {
      crossings_.push_back({row.channel, row.lane});
    }
  }
  const std::span<const Crossing> crossings = std::span(crossings_).subspan(extent.crossings);
  std::vector<NodeId> entered;
  for (const Crossing& crossing : crossings) entered.push_back(fabric_.channel(crossing.channel).to);
  std::sort(entered.begin(), entered.end());
  for (const Crossing& crossing : crossings) {
    const NodeId from = fabric_.channel(crossing.channel).from;
    if (!std::binary_search(entered.begin(), entered.end(), from)) extent.from = from;
    extent.slowest = std::max(extent.slowest, times_.chunk(crossing.channel));
  }
  extent.way = follow(crossings, extent.from);
  if (!uses.empty()) add_uses(extent, uses);
}

// Where words are spoken of packets combine, so that it is a path. Its rows are as many for each channel.
void Transfers::add_uses(const Extent& extent, std::span<const WordUse* const> uses) {
  const std::size_t chunks = chunks_.size() - extent.chunks;
  const auto first = static_cast<std::ptrdiff_t>(extent.chunks);
  leaving_.resize(chunks_.size());
  arriving_.resize(chunks_.size());
  for (std::size_t i = extent.crossings; i < crossings_.size(); ++i) {
    const Channel& channel = fabric_.channel(crossings_[i].channel);
    const auto of_channel = uses.subspan((i - extent.crossings) * chunks, chunks);
    if (channel.from == extent.from) std::copy(of_channel.begin(), of_channel.end(), leaving_.begin() + first);
    if (channel.to == to_.back()) std::copy(of_channel.begin(), of_channel.end(), arriving_.begin() + first);
  }
}

// Notes the receivers: where no channel goes on. The slowest way to one of them.
double Transfers::follow(std::span<const Crossing> crossings, NodeId sender) {
  struct Reached {
    NodeId node;
    double way;
  };
  // Channels are numbered by their tails, so those that leave a node stand side by side.
  const auto leaving = [&](NodeId node) {
    return std::lower_bound(crossings.begin(), crossings.end(), node, [&](const Crossing& crossing, NodeId tail) {
      return fabric_.channel(crossing.channel).from < tail;
    });
  };
  double slowest = 0;
  std::vector<Reached> open{{sender, 0}};
  while (!open.empty()) {
    const Reached reached = open.back();
    open.pop_back();
    auto crossing = leaving(reached.node);
    bool last = true;
    for (; crossing != crossings.end() && fabric_.channel(crossing->channel).from == reached.node; ++crossing) {
      open.push_back({fabric_.channel(crossing->channel).to, reached.way + times_.hop(crossing->channel)});
      last = false;
    }
    if (!last) continue;
    to_.push_back(reached.node);
    slowest = std::max(slowest, reached.way);
  }
  return slowest;
}

}  // namespace quadrille::replaying
