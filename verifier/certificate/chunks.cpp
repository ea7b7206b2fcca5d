#include "verifier/certificate/chunks.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "verifier/certificate/distances.h"

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t most_work = std::uint64_t{1} << 32;        // steps x channels x chunks
constexpr std::uint64_t most_table_size = std::uint64_t{1} << 27;  // chunks x (channels and nodes)

// The channels of the shortest ways from h to each of `ends`; in a tree there is one for each.
std::vector<bool> paths_between(const Fabric& fabric, NodeId h, const std::vector<NodeId>& ends) {
  const std::vector<bool> all(fabric.channels(), true);
  const auto from = distances(fabric, {h}, all, Way::from);
  std::vector<bool> on_path(fabric.channels());
  for (const NodeId w : ends) {
    const auto to = distances(fabric, {w}, all, Way::to);
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

Chunk describe(const Certificate& question, ChunkId id, std::vector<NodeId> wanted) {
  const Fabric& fabric = question.fabric;
  Chunk c{id, {}, std::move(wanted), {}, {}, {}, std::vector<bool>(fabric.nodes())};
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    if (!question.collective.starts_at(c.id, NodeId(p))) continue;
    c.H.emplace_back(p);
    c.starts_at[p] = true;
  }
  const bool unlimited = !fabric.rules().queue.limit;
  const bool keeps_to_paths =
      is_tree(fabric) && c.H.size() == 1 && (question.paths_kept || (unlimited && c.W.size() == 1));
  const std::vector<bool> uses =
      keeps_to_paths ? paths_between(fabric, c.H.front(), c.W) : all_but_those_into(fabric, c.starts_at);
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    if (uses[e]) c.channels.emplace_back(e);
  }
  c.d = distances(fabric, c.H, uses, Way::from);
  c.r = distances(fabric, c.W, uses, Way::to);
  return c;
}

}  // namespace

std::optional<std::vector<Chunk>> chunks_that_move(const Certificate& question) {
  const Collective& collective = question.collective;
  if (collective.demands() > most_table_size) return std::nullopt;
  std::map<ChunkId, std::vector<NodeId>> wanted;
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    const auto [chunk, processor] = collective.demand_at(i);
    wanted[chunk].push_back(processor);
  }
  const std::uint64_t size = std::uint64_t{question.fabric.channels()} + question.fabric.nodes();
  const std::uint64_t count = std::max<std::uint64_t>(wanted.size(), 1);
  if (count > most_table_size / size || std::uint64_t{question.steps} > most_work / count / size) return std::nullopt;
  std::vector<Chunk> chunks;
  for (auto& [id, processors] : wanted) chunks.push_back(describe(question, id, std::move(processors)));
  return chunks;
}

bool is_tree(const Fabric& fabric) {
  return std::holds_alternative<FatTreeShape>(fabric.shape()) || std::holds_alternative<StarShape>(fabric.shape());
}

}  // namespace quadrille::certificate
