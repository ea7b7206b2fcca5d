// Idea: before anything is a variable, two breadth-first searches for each chunk: d, the hops from where it starts, and
// r, the hops to who wants it. What is farther than the steps allow gets no variable.
//
//   broadcast from 0 on the line 0-1-2: the channels into 0 are of no use; d = 0, 1, 2 and r = 1, 0, 0
//
// Cost: chunks x (nodes + channels); a chunk that keeps to its paths in a tree, once more for each target. Source:
// verifier/FORMULA.md, The question.
#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "verifier/certificate/formulas/copy_variables.h"
#include "verifier/certificate/formulas/distances.h"
#include "verifier/certificate/formulas/trees.h"

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t most_work = std::uint64_t{1} << 32;       // steps x (channels and nodes) x chunks
constexpr std::uint64_t bytes_per_demand = 16;                    // its processor, in lists that grow
constexpr std::uint64_t bytes_per_chunk = 200;                    // with its place in a map, and its lists' heads
constexpr std::uint64_t bytes_per_node = 13;                      // of a place: its node, two distances, a mark
constexpr std::uint64_t bytes_per_channel = 2 * sizeof(Passage);  // in a list that grows

// The channels of the shortest ways from h to each of `ends`; in a tree there is one for each.
std::vector<bool> paths_between(const Fabric& fabric, NodeId h, const std::vector<NodeId>& ends, Work& work) {
  const std::vector<bool> all(fabric.channels(), true);
  const auto from = distances(fabric, {h}, all, SearchDirection::from);
  std::vector<bool> on_path(fabric.channels());
  for (const NodeId w : ends) {
    work.spend(fabric.channels() + fabric.nodes());
    const auto to = distances(fabric, {w}, all, SearchDirection::to);
    for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
      const Channel& channel = fabric.channel(ChannelId(e));
      if (from[channel.from.value] + 1 + to[channel.to.value] == from[w.value]) on_path[e] = true;
    }
  }
  return on_path;
}

std::vector<bool> all_but_those_into(const Fabric& fabric, const std::vector<bool>& nodes) {
  std::vector<bool> result(fabric.channels());
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) result[e] = !nodes[fabric.channel(ChannelId(e)).to.value];
  return result;
}

// Whether switches forward copies of the chunk to several processors.
bool forwards_copies(const Fabric& fabric, std::size_t wanted) {
  return fabric.switches_forward() && fabric.has_switches() && wanted > 1;
}

// Every node is a place, every channel that is used a way.
void lay_out(const Fabric& fabric, const std::vector<bool>& uses, Chunk& c) {
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) c.places.emplace_back(v);
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const Channel& channel = fabric.channel(ChannelId(e));
    if (uses[e]) c.ways.push_back({ChannelId(e), channel.from.value, channel.to.value});
  }
}

// A copy goes from a processor by switches to the next processor p: every switch is a place for each p.
void lay_out_copies(const Fabric& fabric, const std::vector<bool>& uses, Chunk& c) {
  const std::uint32_t n = fabric.processors();
  const auto place = [n](NodeId v, std::uint32_t p) {
    return v.value < n ? std::size_t{v.value} : n + std::size_t{v.value - n} * n + p;
  };
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) c.places.insert(c.places.end(), v < n ? 1 : n, NodeId(v));
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const auto [u, v] = std::pair(fabric.channel(ChannelId(e)).from, fabric.channel(ChannelId(e)).to);
    for (std::uint32_t p = 0; p < n && uses[e]; ++p) {
      const bool starts = std::find(c.H.begin(), c.H.end(), NodeId(p)) != c.H.end();
      const bool past = u.value == p || (v.value < n && v.value != p);
      if (!starts && !past) c.ways.push_back({ChannelId(e), place(u, p), place(v, p)});
    }
  }
}

// Ways from (or to) the nearest of `ends`, by place.
std::vector<std::uint32_t> hops(const Chunk& c, const std::vector<NodeId>& ends, bool from) {
  std::vector<std::vector<std::size_t>> next(c.places.size());
  for (const Passage& way : c.ways) next[from ? way.from : way.to].push_back(from ? way.to : way.from);
  std::vector<std::uint32_t> result(c.places.size(), far);
  std::deque<std::size_t> waiting;
  for (const NodeId end : ends) {
    result[end.value] = 0;
    waiting.push_back(end.value);
  }
  for (; !waiting.empty(); waiting.pop_front()) {
    for (const std::size_t place : next[waiting.front()]) {
      if (result[place] != far) continue;
      result[place] = result[waiting.front()] + 1;
      waiting.push_back(place);
    }
  }
  return result;
}

Chunk describe(const Certificate& question, bool tree, ChunkId id, std::vector<NodeId> wanted, Work& work) {
  const Fabric& fabric = question.fabric;
  Chunk c{id, {}, std::move(wanted), {}, {}, std::vector<bool>(fabric.nodes())};
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    if (!question.collective.starts_at(c.id, NodeId(p))) continue;
    c.H.emplace_back(p);
    c.starts_at[p] = true;
  }
  const bool unlimited = !fabric.rules().queue.limit;
  // The channels that it uses: those of its paths, or all but those into where it starts.
  const bool keeps_to_paths = tree && c.H.size() == 1 && (question.paths_kept || (unlimited && c.W.size() == 1));
  const std::vector<bool> uses =
      keeps_to_paths ? paths_between(fabric, c.H.front(), c.W, work) : all_but_those_into(fabric, c.starts_at);
  if (forwards_copies(fabric, c.W.size())) {
    lay_out_copies(fabric, uses, c);
  } else {
    lay_out(fabric, uses, c);
  }
  work.spend(c.ways.size() + c.places.size());
  c.starts_at.resize(c.places.size());
  c.d = hops(c, c.H, true);
  c.r = hops(c, c.W, false);
  return c;
}

}  // namespace

std::optional<std::vector<Chunk>> chunks_that_move(const Certificate& question, Work& work) {
  const Collective& collective = question.collective;
  work.take(collective.demands(), bytes_per_demand);
  // Chunks without a demand do not move; a map has the others by number.
  std::map<ChunkId, std::vector<NodeId>> wanted;
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    work.spend(1);
    const auto [chunk, processor] = collective.demand_at(i);
    std::vector<NodeId>& of_chunk = wanted[chunk];
    if (of_chunk.empty()) work.take(1, bytes_per_chunk);
    of_chunk.push_back(processor);
  }
  const bool forward = question.fabric.switches_forward();
  const std::uint64_t copies = forward ? question.fabric.processors() : 1;  // places of a switch, at most
  const std::uint64_t size = copies * (std::uint64_t{question.fabric.channels()} + question.fabric.nodes());
  const std::uint64_t count = std::max<std::uint64_t>(wanted.size(), 1);
  if (std::uint64_t{question.steps} > most_work / count / size) return std::nullopt;
  const Fabric& fabric = question.fabric;
  work.take(count, copies * (fabric.nodes() * bytes_per_node + fabric.channels() * bytes_per_channel));
  std::vector<Chunk> chunks;
  const bool tree = tree_of(question.fabric).has_value();
  for (auto& [id, processors] : wanted) {
    work.spend(size);
    chunks.push_back(describe(question, tree, id, std::move(processors), work));
  }
  return chunks;
}

}  // namespace quadrille::certificate
