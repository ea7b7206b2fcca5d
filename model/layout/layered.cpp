// Idea: a machine with switches is drawn as it is built: processors in a row at the bottom, and the switches of each
// level in a row above. A switch's level is its distance from the nearest processor. In its row it stands over the
// middle of the nodes that it serves, and overlapping switches are moved apart. If switches of one level serve
// stretches of different length, the longer ones (a rail across servers, say) have a row of their own, above.
//
//   2 servers of 4 processors, a switch in each, 4 rails across: processors at y = 3, servers' switches at y = 1.5 over
//   x = 1.5 and 6, rails above them
//
// Cost: linear in the channels; a sort of the switches.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "model/distances.h"
#include "model/layout/positions.h"

namespace quadrille::layout {
namespace {

constexpr double row_pitch = 1.5;

class Layered {
 public:
  explicit Layered(const Fabric& fabric) : fabric_(fabric), all_(fabric.nodes()), spans_(fabric.nodes()) {}

  std::vector<NodePosition> run() {
    find_levels();
    place_processors();
    std::uint32_t rows = 0;
    for (std::uint32_t level = 1; level <= highest_; ++level) {
      for (const std::vector<std::uint32_t>& row : rows_of(level)) place_row(row, ++rows);
    }
    return std::move(all_);
  }

 private:
  struct Span {
    double first = 0;
    double last = 0;
  };

  // A walk from all processors at once. Switches that none reaches are on top.
  void find_levels() {
    level_.assign(fabric_.nodes(), unreachable);
    std::vector<std::uint32_t> reached(fabric_.processors());
    std::iota(reached.begin(), reached.end(), 0U);
    for (const std::uint32_t p : reached) level_[p] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const NodeId node(reached[i]);
      const auto visit = [&](NodeId other) {
        if (level_[other.value] != unreachable) return;
        level_[other.value] = level_[node.value] + 1;
        highest_ = level_[other.value];
        reached.push_back(other.value);
      };
      for (const ChannelId e : fabric_.channels_from(node)) visit(fabric_.channel(e).to);
      for (const ChannelId e : fabric_.channels_to(node)) visit(fabric_.channel(e).from);
    }
    if (reached.size() == fabric_.nodes()) return;
    ++highest_;
    std::ranges::replace(level_, unreachable, highest_);
  }

  // Those below one switch stand together, in the order of their numbers; between two such groups there is a gap.
  void place_processors() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> below;  // by the narrowest switch above
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) below[rack_of(p)].push_back(p);
    std::vector<std::vector<std::uint32_t>> racks;
    for (auto& [above, processors] : below) racks.push_back(std::move(processors));
    std::ranges::sort(racks);
    double x = 0;
    for (const std::vector<std::uint32_t>& rack : racks) {
      for (const std::uint32_t p : rack) {
        all_[p] = {x, 0};
        spans_[p] = {x, x};
        x += 1;
      }
      x += racks.size() > 1 ? 0.5 : 0;
    }
  }

  // Of the switches above the processor the one whose processors are nearest to one another, by number; of several, the
  // first.
  std::uint32_t rack_of(std::uint32_t processor) const {
    std::uint32_t best = fabric_.nodes();
    std::uint32_t nearest = 0;
    for (const ChannelId e : fabric_.channels_from(NodeId(processor))) {
      const NodeId above = fabric_.channel(e).to;
      if (fabric_.is_processor(above)) continue;
      const std::uint32_t apart = length_of(above);
      if (best != fabric_.nodes() && apart >= nearest) continue;
      best = above.value;
      nearest = apart;
    }
    return best;
  }

  // From its first to its last processor. (Channels are by number of their heads.)
  std::uint32_t length_of(NodeId above) const {
    std::uint32_t first = fabric_.processors();
    std::uint32_t last = 0;
    for (const ChannelId e : fabric_.channels_from(above)) {
      const NodeId to = fabric_.channel(e).to;
      if (!fabric_.is_processor(to)) break;
      first = std::min(first, to.value);
      last = to.value;
    }
    return last - std::min(first, last);
  }

  // The stretch that a switch serves: from the first to the last of the nodes below it.
  void find_span(std::uint32_t node) {
    Span span{static_cast<double>(fabric_.nodes()) * 2, -1};
    const auto widen = [&](NodeId other) {
      if (level_[other.value] + 1 != level_[node]) return;
      span.first = std::min(span.first, spans_[other.value].first);
      span.last = std::max(span.last, spans_[other.value].last);
    };
    for (const ChannelId e : fabric_.channels_from(NodeId(node))) widen(fabric_.channel(e).to);
    for (const ChannelId e : fabric_.channels_to(NodeId(node))) widen(fabric_.channel(e).from);
    spans_[node] = span.last < 0 ? Span{} : span;
  }

  // The switches of a level in one row, or in two where some serve stretches that are clearly longer than the shortest.
  std::vector<std::vector<std::uint32_t>> rows_of(std::uint32_t level) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t v = fabric_.processors(); v < fabric_.nodes(); ++v) {
      if (level_[v] == level) nodes.push_back(v);
    }
    for (const std::uint32_t v : nodes) find_span(v);
    const auto length = [&](std::uint32_t v) { return spans_[v].last - spans_[v].first; };
    double shortest = -1;
    for (const std::uint32_t v : nodes) shortest = shortest < 0 ? length(v) : std::min(shortest, length(v));
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint32_t> wide;
    for (const std::uint32_t v : nodes) (length(v) <= 1.2 * shortest + 0.5 ? narrow : wide).push_back(v);
    std::vector<std::vector<std::uint32_t>> rows;
    for (auto* row : {&narrow, &wide}) {
      if (!row->empty()) rows.push_back(std::move(*row));
    }
    return rows;
  }

  // Each over the middle of its stretch; those that are nearer than 1 to one another are spread around their middle.
  void place_row(std::vector<std::uint32_t> row, std::uint32_t number) {
    const auto middle = [&](std::uint32_t v) { return (spans_[v].first + spans_[v].last) / 2; };
    std::ranges::stable_sort(row, {}, middle);
    struct Cluster {
      double sum = 0;  // of where its members would begin it
      std::size_t first = 0;
      std::size_t count = 0;
      double begin() const { return sum / static_cast<double>(count); }
      double end() const { return begin() + static_cast<double>(count); }
    };
    std::vector<Cluster> clusters;
    for (std::size_t i = 0; i < row.size(); ++i) {
      clusters.push_back({middle(row[i]), i, 1});
      while (clusters.size() > 1 && clusters[clusters.size() - 2].end() > clusters.back().begin()) {
        const Cluster last = clusters.back();
        clusters.pop_back();
        Cluster& before = clusters.back();
        before.sum += last.sum - static_cast<double>(last.count) * static_cast<double>(before.count);
        before.count += last.count;
      }
    }
    for (const Cluster& cluster : clusters) {
      for (std::size_t i = 0; i < cluster.count; ++i) {
        all_[row[cluster.first + i]] = {cluster.begin() + static_cast<double>(i), -row_pitch * number};
      }
    }
  }

  const Fabric& fabric_;
  std::vector<NodePosition> all_;
  std::vector<Span> spans_;
  std::vector<std::uint32_t> level_;
  std::uint32_t highest_ = 0;
};

}  // namespace

std::vector<NodePosition> layered(const Fabric& fabric) { return Layered(fabric).run(); }

// Rows of as many nodes as are equally far, each in the middle.
std::vector<NodePosition> by_distance(const Fabric& fabric) {
  const std::vector<std::uint32_t> far = distances(fabric, NodeId(0), Direction::from);
  std::map<std::uint32_t, std::vector<std::uint32_t>> rows;
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) rows[far[v]].push_back(v);
  std::vector<NodePosition> all(fabric.nodes());
  double y = 0;
  for (const auto& [distance, row] : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      all[row[i]] = {static_cast<double>(i) - static_cast<double>(row.size() - 1) / 2, y};
    }
    y += row_pitch;
  }
  return all;
}

}  // namespace quadrille::layout
